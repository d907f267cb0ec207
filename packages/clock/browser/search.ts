import { matches, type SearchData, searchTexts } from './search-texts.ts';

/** More matches are not shown; type more letters to narrow them. */
const maxShown = 200;
const listId = 'clock-list';
let close: (() => void) | undefined;
let data: Promise<SearchData | undefined> | undefined;

/** If it cannot be loaded, only the options' texts are searched. */
async function readData(address: string): Promise<SearchData | undefined> {
  try {
    return (await (await fetch(address)).json()) as SearchData;
  } catch {
    return undefined;
  }
}

/**
 * Opens a searchable list over a select, in the ARIA pattern "editable combobox with list autocomplete".
 * @param onChoice called after a value was chosen
 */
export function openSearch(select: HTMLSelectElement, address: string, typed: string, onChoice: () => void): void {
  close?.();
  const options = [...select.options].map((option) => ({ value: option.value, text: option.text }));
  let texts = searchTexts(options, undefined);
  const { box, field, list } = makeBox(select);
  let active = -1;
  let shown: readonly number[] = [];

  const activate = (next: number) => {
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = Math.max(0, Math.min(next, shown.length - 1));
    const item = list.children[active];
    item?.setAttribute('aria-selected', 'true');
    item?.scrollIntoView({ block: 'nearest' });
    if (item) field.setAttribute('aria-activedescendant', item.id);
    else field.removeAttribute('aria-activedescendant');
  };
  const filter = () => {
    shown = matches(texts, field.value).slice(0, field.value === '' ? options.length : maxShown);
    list.replaceChildren(...shown.map((index) => makeItem(options[index]?.text ?? '', index)));
    active = -1;
    activate(field.value === '' ? select.selectedIndex : 0);
  };
  const choose = (index: number) => {
    const option = options[shown[index] ?? -1];
    closeList();
    if (option === undefined || option.value === select.value) return;
    select.value = option.value;
    onChoice();
  };
  const closeList = () => {
    close = undefined;
    removeEventListener('pointerdown', leave, true);
    box.remove();
    select.focus();
  };
  const leave = (event: Event) => {
    if (!box.contains(event.target as Node)) closeList();
  };
  close = closeList;

  const page = 10;
  const keyActions: Readonly<Record<string, () => void>> = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    PageDown: () => activate(active + page),
    PageUp: () => activate(active - page),
    Enter: () => choose(active),
    Escape: closeList,
  };
  field.addEventListener('input', filter);
  field.addEventListener('keydown', (event) => {
    const action = keyActions[event.key];
    if (event.key === 'Tab') closeList();
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  });
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const item = (event.target as Element).closest('li');
    if (item) choose([...list.children].indexOf(item));
  });
  addEventListener('pointerdown', leave, true);

  // Inside main, so that it belongs to a landmark.
  select.form?.after(box);
  field.value = typed;
  filter();
  field.focus();
  data ??= readData(address);
  void data.then((known) => {
    texts = searchTexts(options, known);
    if (!box.isConnected || field.value === '') return;
    // Keeps the active option.
    const chosen = active > 0 ? shown[active] : undefined;
    filter();
    if (chosen !== undefined && shown.includes(chosen)) activate(shown.indexOf(chosen));
  });
}

function makeBox(select: HTMLSelectElement) {
  const labelledBy = document.getElementById(select.getAttribute('aria-labelledby') ?? '');
  const label = select.getAttribute('aria-label') ?? labelledBy?.textContent ?? '';
  const box = document.createElement('div');
  const field = document.createElement('input');
  const list = document.createElement('ul');
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': 'true',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  })) {
    field.setAttribute(name, value);
  }
  // Not type=search, which browsers clear on Escape.
  field.type = 'text';
  field.inputMode = 'search';
  field.placeholder = select.options[select.selectedIndex]?.text ?? '';
  list.id = listId;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', label);
  box.id = 'clock-search';
  box.append(field, list);
  const { left, top, bottom, width } = select.getBoundingClientRect();
  const isBelow = innerHeight - bottom >= top;
  // The content security policy forbids style attributes, but not this.
  Object.assign(box.style, {
    left: `${left + scrollX}px`,
    width: `${width}px`,
    maxHeight: `${Math.max(isBelow ? innerHeight - top : bottom, 200) - 16}px`,
    ...(isBelow
      ? { top: `${top + scrollY}px` }
      : { bottom: `${document.documentElement.clientHeight - bottom - scrollY}px` }),
  });
  if (!isBelow) box.dataset.above = '';
  return { box, field, list };
}

function makeItem(text: string, index: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `${listId}-${index}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', 'false');
  item.textContent = text;
  return item;
}
