import { matchesFilter } from '../src/browser/bean-filter.ts';
import { find, findAll } from './page.ts';

/** Filters the list of beans while the user types; links for grouping and sorting keep the filter. */
export function startList(): void {
  const table = find<HTMLTableElement>('#beans');
  const form = find<HTMLFormElement>('#tools');
  const field = form && find<HTMLInputElement>('[name=q]', form);
  if (!table || !form || !field) return;
  const rows = findAll<HTMLTableRowElement>('tbody tr:not(.group)', table);
  const withFilter = (filter: string, address = location.href) => {
    const url = new URL(address);
    if (filter === '') url.searchParams.delete('q');
    else url.searchParams.set('q', filter);
    return url.href;
  };

  const applyFilter = () => {
    const filter = field.value.trim();
    for (const row of rows) row.hidden = !matchesFilter(row.dataset.text ?? '', filter);
    for (const body of table.tBodies) {
      const left = findAll('tr:not(.group):not([hidden])', body).length;
      const number = find('.group .num', body);
      body.hidden = left === 0;
      if (number) number.textContent = String(left);
    }
    const left = rows.filter((row) => !row.hidden).length;
    table.hidden = left === 0;
    const empty = find('#empty');
    const word = find('#word');
    const count = find('#count');
    const inside = find<HTMLAnchorElement>('#inside');
    if (empty) empty.hidden = left > 0;
    if (word) word.textContent = filter;
    if (count)
      count.textContent = filter === '' ? '' : `${left} of ${rows.length}. Enter searches keys and values too.`;
    if (inside) {
      const url = new URL(inside.href);
      url.searchParams.set('find', filter);
      inside.href = url.href;
    }
    for (const link of findAll<HTMLAnchorElement>('.pick a, thead a')) link.href = withFilter(filter, link.href);
    history.replaceState(null, '', withFilter(filter));
  };

  field.addEventListener('input', applyFilter);
  find('#clear')?.addEventListener('click', (event) => {
    event.preventDefault();
    field.value = '';
    applyFilter();
    field.focus();
  });
  // The browser may have kept what was typed before the page was left.
  if (field.value !== field.defaultValue) applyFilter();
}
