import type { openSearch } from './search.ts';

interface SearchModule {
  readonly openSearch: typeof openSearch;
}

/** The parts of Bootstrap that the page uses; its script may be missing. */
declare const bootstrap: { readonly Tooltip: new (element: Element, options: { title: string }) => { hide(): void } };

/** What is not needed to read the time: sends the form at once, keeps the focus, searches the lists. */
export function improveForm(): void {
  const form = document.querySelector('form') as HTMLFormElement;
  const button = form.querySelector('button') as HTMLButtonElement;
  let isTyping = false;
  for (const select of form.querySelectorAll('select')) {
    // A phone has a list of its own, which it can search and scroll better.
    if (matchMedia('(pointer: fine)').matches) searchInstead(select, form);
    select.addEventListener('keydown', ({ key, altKey, defaultPrevented }) => {
      if (key === 'Enter' && !defaultPrevented) form.requestSubmit();
      // What is chosen in a list that was opened counts at once, what is passed through in a closed one does not.
      isTyping = key !== 'Enter' && key !== ' ' && key !== 'F4' && !altKey;
    });
    select.addEventListener('pointerdown', () => {
      isTyping = false;
    });
    select.addEventListener('change', () => {
      if (!isTyping) form.requestSubmit();
    });
  }
  keepFocus(form);
  if (!('bootstrap' in window)) return;
  const tooltip = new bootstrap.Tooltip(button, { title: button.getAttribute('aria-label') ?? '' });
  // It says what the button is called, which would be read out twice.
  button.addEventListener('inserted.bs.tooltip', () => button.removeAttribute('aria-describedby'));
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') tooltip.hide();
  });
}

/** Opens a list that can be searched in place of the browser's own, which stays if it cannot be loaded. */
function searchInstead(select: HTMLSelectElement, form: HTMLFormElement): void {
  const { search = '', names = '' } = form.dataset;
  let loaded: Promise<SearchModule> | undefined;
  let hasFailed = false;
  /** What was typed until the list opened; undefined if it is not about to. */
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
    // So that it loses the focus when somebody goes on meanwhile.
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
    // Not if somebody only looks at another window.
    if (document.hasFocus()) cancel();
  });
  select.addEventListener('mousedown', (event) => {
    if (event.button === 0) open(event, '');
  });
  select.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey || key === 'Tab') return;
    // A space opens the list; while it is about to open, it belongs to what is typed.
    if (key.length === 1 && (key !== ' ' || pending)) open(event, key);
    else if (pending === undefined) {
      if (/^( |F4|ArrowDown|ArrowUp)$/.test(key)) open(event, '');
    } else {
      // The closed list must not change, nor what nobody has seen yet be sent.
      event.preventDefault();
      if (key === 'Backspace') pending = pending.slice(0, -1);
      if (key === 'Escape') cancel();
    }
  });
}

/** Whoever uses the keyboard goes on where they were before the form was sent. */
function keepFocus(form: HTMLFormElement): void {
  const place = 'clock-focus';
  let isByKey = false;
  // Before anything else hears of it: a key may send the form.
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
    controls[Number(sessionStorage.getItem(place) ?? -1)]?.focus();
    sessionStorage.removeItem(place);
    form.addEventListener('submit', () => {
      if (isByKey) sessionStorage.setItem(place, String(controls.indexOf(document.activeElement as HTMLElement)));
    });
  } catch {
    // A browser that keeps nothing for us.
  }
}
