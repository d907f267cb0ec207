import { addressOf, find, findAll, morph, parse, say } from './page.ts';

function close(menu: HTMLDetailsElement): void {
  menu.open = false;
  find('summary', menu)?.focus();
}

async function copy(button: HTMLElement): Promise<void> {
  const { copy: encoded } = button.dataset;
  const menu = button.closest<HTMLDetailsElement>('.menu');
  const link = menu && find<HTMLAnchorElement>('a', menu);
  const text = encoded === undefined ? (link?.href ?? '') : decodeURIComponent(encoded);
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`);
  } catch {
    say('The browser did not let it be copied.');
  }
  if (menu) close(menu);
}

/** Shows the buttons that copy, if the browser allows copying. */
export function showCopying(root: ParentNode): void {
  if (!navigator.clipboard) return;
  for (const button of findAll('[data-copy], [data-copy-link]', root)) {
    button.hidden = false;
    if (button.parentElement?.matches('li')) button.parentElement.hidden = false;
  }
}

/** One menu is open at a time; Escape and a click elsewhere close it. */
export function startMenus(): void {
  showCopying(document);
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return;
    for (const menu of findAll<HTMLDetailsElement>('.menu[open]')) if (!menu.contains(target)) menu.open = false;
    const button = target.closest<HTMLElement>('[data-copy], [data-copy-link]');
    if (button) void copy(button);
  });
  // The address has changed since the page was loaded if containers were opened.
  document.addEventListener('submit', ({ target }) => {
    const back =
      target instanceof HTMLFormElement &&
      target.matches('#watch, #remove') &&
      find<HTMLInputElement>('[name=back]', target);
    if (back) back.value = location.pathname + location.search + location.hash;
  });
  document.addEventListener('keydown', (event) => {
    const menu = event.target instanceof Element && event.target.closest<HTMLDetailsElement>('.menu[open]');
    if (event.key !== 'Escape' || !menu) return;
    close(menu);
    event.stopPropagation();
  });
}

/** Applies forms that only choose what a page shows at once, without a reload. */
export function startForms(): void {
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof Element && target.closest<HTMLFormElement>('form.at-once');
    if (form) void showChosen(form);
  });
}

async function showChosen(form: HTMLFormElement): Promise<void> {
  const url = addressOf(form);
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  const [shown, fresh] = [find('main'), find('main', parse(await answer.text()))];
  if (!answer.ok || !shown || !fresh) return form.submit();
  morph(shown, fresh);
  history.replaceState(null, '', url);
}
