import type { openSearch } from './search.ts';

interface SearchModule {
  readonly openSearch: typeof openSearch;
}

/** The parts of Bootstrap that the page uses; its script may be missing. */
declare const bootstrap: { readonly Tooltip: new (element: Element, options: { title: string }) => { hide(): void } };

/** Submits the form on a choice, keeps the focus, and makes the lists searchable. */
export function improveForm(): void {
  const form = document.querySelector('form') as HTMLFormElement;
  const button = form.querySelector('button') as HTMLButtonElement;
  let isByArrowKey = false;
  for (const select of form.querySelectorAll('select')) {
    // Phones keep their own list, which suits them better.
    if (matchMedia('(pointer: fine)').matches) addSearch(select, form);
    select.addEventListener('keydown', ({ key, altKey, defaultPrevented }) => {
      if (key === 'Enter' && !defaultPrevented) form.requestSubmit();
      // Arrow keys in a closed list change the value without choosing it.
      isByArrowKey = key !== 'Enter' && key !== ' ' && key !== 'F4' && !altKey;
    });
    select.addEventListener('pointerdown', () => {
      isByArrowKey = false;
    });
    select.addEventListener('change', () => {
      if (!isByArrowKey) form.requestSubmit();
    });
  }
  keepFocus(form);
  if (!('bootstrap' in window)) return;
  const tooltip = new bootstrap.Tooltip(button, { title: button.getAttribute('aria-label') ?? '' });
  // Otherwise screen readers read the label twice.
  button.addEventListener('inserted.bs.tooltip', () => button.removeAttribute('aria-describedby'));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tooltip.hide();
  });
}

/** Opens a searchable list in place of the browser's, unless the module cannot be loaded. */
function addSearch(select: HTMLSelectElement, form: HTMLFormElement): void {
  const { search = '', names = '' } = form.dataset;
  let loaded: Promise<SearchModule> | undefined;
  let hasFailed = false;
  /** What was typed while the list is opening; undefined if it is not. */
  let pending: string | undefined;
  const cancel = () => {
    pending = undefined;
  };
  const load = () => {
    loaded ??= import(search) as Promise<SearchModule>;
    loaded.catch(() => {
      hasFailed = true;
      cancel();
    });
    return loaded;
  };
  const open = (event: Event, typed: string) => {
    if (hasFailed) return;
    event.preventDefault();
    const isOpening = pending !== undefined;
    pending = (pending ?? '') + typed;
    if (isOpening) return;
    // A blur cancels the opening.
    select.focus();
    load().then(({ openSearch }) => {
      if (pending === undefined) return;
      const text = pending;
      cancel();
      openSearch(select, names, text, () => form.requestSubmit());
    }, cancel);
  };
  for (const type of ['focus', 'pointerenter']) select.addEventListener(type, () => void load().catch(cancel));
  select.addEventListener('blur', () => {
    // Not if only the window has lost the focus.
    if (document.hasFocus()) cancel();
  });
  select.addEventListener('mousedown', (event) => {
    if (event.button === 0) open(event, '');
  });
  select.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey || key === 'Tab') return;
    // A space opens the list; while it is opening, it is part of the text.
    if (key.length === 1 && (key !== ' ' || pending)) open(event, key);
    else if (pending === undefined) {
      if (/^( |F4|ArrowDown|ArrowUp)$/.test(key)) open(event, '');
    } else {
      // Keys must not change the closed list meanwhile.
      event.preventDefault();
      if (key === 'Backspace') pending = pending.slice(0, -1);
      if (key === 'Escape') cancel();
    }
  });
}

/** Restores the focus after the form was sent by keyboard. */
function keepFocus(form: HTMLFormElement): void {
  const storageKey = 'clock-focus';
  let isByKey = false;
  // In the capture phase, since a key may submit the form.
  for (const type of ['keydown', 'pointerdown']) {
    document.addEventListener(
      type,
      () => {
        isByKey = type === 'keydown';
      },
      true,
    );
  }
  try {
    const controls = [...form.querySelectorAll<HTMLElement>('select, button')];
    controls[Number(sessionStorage.getItem(storageKey) ?? -1)]?.focus();
    sessionStorage.removeItem(storageKey);
    form.addEventListener('submit', () => {
      if (isByKey) sessionStorage.setItem(storageKey, String(controls.indexOf(document.activeElement as HTMLElement)));
    });
  } catch {
    // The browser blocks storage.
  }
}
