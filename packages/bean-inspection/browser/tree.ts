import { showCopying } from './menus.ts';
import { find, findAll, parseRows, say } from './page.ts';

type Row = HTMLTableRowElement;

const levelOf = (row: Element) => Number(row.getAttribute('aria-level'));
const isOpen = (row: Element) => row.getAttribute('aria-expanded');
const keyOf = (row: Element) => (find('.key b', row)?.textContent ?? '').toLowerCase();

/** The tree of one bean: WAI-ARIA's treegrid with rows that have the focus. What is open is in the address. */
export class Tree {
  readonly #table: HTMLTableElement;
  readonly #body: HTMLTableSectionElement;
  /** The row that Tab leads to. */
  #current: Row | undefined;
  #typed = { text: '', at: 0 };
  /** Called when the address has changed, and with it what is open. */
  onChange = () => {};

  constructor(table: HTMLTableElement) {
    this.#table = table;
    this.#body = table.tBodies[0] as HTMLTableSectionElement;
    for (const row of this.rows()) this.#adopt(row);
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    this.#go(target instanceof HTMLTableRowElement ? target : this.rows()[0], false);
    table.addEventListener('click', (event) => this.#onClick(event));
    table.addEventListener('keydown', (event) => this.#onKey(event));
    table.addEventListener('submit', (event) => this.#onSubmit(event));
    table.addEventListener('focusin', ({ target: focused }) => {
      const row = (focused as Element).closest<Row>('tbody tr');
      if (row && row !== this.#current) this.#go(row, false);
    });
  }

  rows(): Row[] {
    return [...this.#body.rows];
  }

  /** The controls of a row are reached by Tab only while the row is the current one. */
  #adopt(row: Row): void {
    showCopying(row);
    this.#letTab(row, false);
  }

  #letTab(row: Row, isReached: boolean): void {
    const tabIndex = isReached ? 0 : -1;
    row.tabIndex = tabIndex;
    for (const control of findAll('a, button, summary, input', row)) control.tabIndex = tabIndex;
  }

  #go(row: Row | undefined, hasFocus = true): void {
    if (!row) return;
    if (this.#current && this.#current !== row) this.#letTab(this.#current, false);
    this.#current = row;
    this.#letTab(row, true);
    if (hasFocus) row.focus();
  }

  /** The rows inside of an open row; all of them for the beginning of the tree. */
  #below(row: Row | undefined): Row[] {
    if (!row) return this.rows();
    const below: Row[] = [];
    for (let next = row.nextElementSibling; next && levelOf(next) > levelOf(row); next = next.nextElementSibling)
      below.push(next as Row);
    return below;
  }

  #parent(row: Row): Row | undefined {
    const rows = this.rows();
    return rows.slice(0, rows.indexOf(row)).findLast((before) => levelOf(before) < levelOf(row));
  }

  #onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const row = target.closest<Row>('tbody tr');
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { from } = target.closest<HTMLElement>('[data-from]')?.dataset ?? {};
    if (target.closest('a.twist')) {
      event.preventDefault();
      this.#go(row);
      void this.#toggle(row, isOpen(row) !== 'true');
    } else if (from !== undefined) {
      event.preventDefault();
      void this.#turn(row, Number(from));
    }
  }

  #onSubmit(event: SubmitEvent): void {
    const row = (event.target as Element).closest<Row>('tr.pages');
    const field = row && find<HTMLInputElement>('input[name=from]', row);
    if (!field) return;
    event.preventDefault();
    void this.#turn(row, Number(field.value));
  }

  #onKey(event: KeyboardEvent): void {
    const row = event.target;
    if (!(row instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#move(row, event.key)) event.preventDefault();
  }

  /** Whether the key was for the tree. */
  #move(row: Row, pressed: string): boolean {
    const rows = this.rows();
    const index = rows.indexOf(row);
    const isRtl = getComputedStyle(this.#table).direction === 'rtl';
    const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };
    const key = (isRtl && mirrored[pressed]) || pressed;
    if (key === 'ArrowDown') this.#go(rows[index + 1]);
    else if (key === 'ArrowUp') this.#go(rows[index - 1]);
    else if (key === 'Home') this.#go(rows[0]);
    else if (key === 'End') this.#go(rows.at(-1));
    else if (key === 'ArrowRight') this.#openOrEnter(row, rows[index + 1]);
    else if (key === 'ArrowLeft') this.#closeOrLeave(row);
    else if (key === 'Enter') this.#follow(row);
    else if (key.length === 1 && key !== ' ') this.#jump(rows, index, key.toLowerCase());
    else return false;
    return true;
  }

  #openOrEnter(row: Row, next: Row | undefined): void {
    if (isOpen(row) === 'false') void this.#toggle(row, true);
    else if (isOpen(row) === 'true' && next && levelOf(next) > levelOf(row)) this.#go(next);
  }

  #closeOrLeave(row: Row): void {
    if (isOpen(row) === 'true') void this.#toggle(row, false);
    else this.#go(this.#parent(row));
  }

  /** Looks from the row, or turns to the next page. */
  #follow(row: Row): void {
    const pages = findAll<HTMLAnchorElement>('a[data-from]', row);
    const next = pages.find(({ textContent }) => textContent.startsWith('Next')) ?? pages[0];
    (next ?? find('.menu a', row) ?? find('a.twist', row))?.click();
  }

  /** The next row whose key begins with what was typed within half a second. */
  #jump(rows: Row[], index: number, letter: string): void {
    const now = Date.now();
    const isContinued = now - this.#typed.at < 500;
    const text = isContinued ? this.#typed.text + letter : letter;
    this.#typed = { text, at: now };
    const start = isContinued ? index : index + 1;
    this.#go([...rows.slice(start), ...rows.slice(0, start)].find((row) => keyOf(row).startsWith(text)));
  }

  async #toggle(row: Row, open: boolean): Promise<void> {
    const pointer = decodeURIComponent(row.dataset.at ?? '');
    if (row.dataset.at === undefined || row.ariaBusy === 'true') return;
    const url = new URL(location.href);
    const query = url.searchParams;
    query.delete('open', pointer);
    query.delete('close', pointer);
    const depth = pointer.slice((query.get('at') ?? '').length).split('/').length - 1;
    const levels = query.get('levels');
    // What is open where the address has no levels, only the server knows.
    const isInLevels = levels === null ? !open : depth < (levels === 'all' ? 8 : Number(levels));
    if (open !== isInLevels) query.append(open ? 'open' : 'close', pointer);
    const rows = open ? await this.#fetchRows(row, url, pointer) : [];
    if (rows === undefined) return;
    this.#replaceBelow(row, rows);
    row.setAttribute('aria-expanded', String(open));
    find('a.twist', row)?.setAttribute('aria-label', `${open ? 'Close' : 'Open'} ${keyOf(row)}`);
    this.#changeAddress(url);
  }

  /** Shows other entries of a long container. */
  async #turn(pagesRow: Row, from: number): Promise<void> {
    const pointer = decodeURIComponent(pagesRow.dataset.of ?? '');
    const url = new URL(location.href);
    const query = url.searchParams;
    const isRoot = pointer === (query.get('at') ?? '');
    for (const text of query.getAll('from'))
      if (isRoot ? /^\d+$/.test(text) : text.endsWith(`:${pointer}`)) query.delete('from', text);
    if (from > 0) query.append('from', isRoot ? String(from) : `${from}:${pointer}`);
    const rows = await this.#fetchRows(pagesRow, url, pointer);
    if (rows === undefined) return;
    const container = isRoot ? undefined : this.#parent(pagesRow);
    this.#replaceBelow(container, rows);
    this.#changeAddress(url);
    this.#go(this.#below(container)[0]);
  }

  #changeAddress(url: URL): void {
    history.replaceState(history.state, '', url);
    this.onChange();
  }

  /** The rows of one container, as the address says; undefined when they cannot be had. */
  async #fetchRows(row: Row, url: URL, pointer: string): Promise<Row[] | undefined> {
    const address = new URL(url);
    address.searchParams.set('rows', pointer);
    address.hash = '';
    row.ariaBusy = 'true';
    try {
      const answer = await fetch(address);
      if (answer.ok) return parseRows(await answer.text());
      say(answer.status === 404 ? 'This part is no longer there.' : `The server answered ${answer.status}.`);
    } catch {
      say('The server did not answer. Try again.');
    } finally {
      row.ariaBusy = null;
    }
    return undefined;
  }

  #replaceBelow(row: Row | undefined, rows: readonly Row[]): void {
    this.#replace(this.#below(row), rows, row ?? null);
  }

  /** Replaces all rows, and returns how many values have changed. */
  update(rows: readonly Row[]): number {
    return this.#replace(this.rows(), rows, null);
  }

  /** Rows with the same id stay the same elements, so that focus, selection and open menus are kept. */
  #replace(before: readonly Row[], after: readonly Row[], anchor: Row | null): number {
    const known = new Map(before.map((row) => [row.id, row]));
    const kept = new Set<Row>();
    let last = anchor;
    let changed = 0;
    for (const fresh of after) {
      const old = known.get(fresh.id);
      const row = old ?? fresh;
      if (old) changed += this.refresh(old, fresh) ? 1 : 0;
      else this.#adopt(fresh);
      kept.add(row);
      const place = last ? last.nextElementSibling : this.#body.firstElementChild;
      if (place !== row) this.#body.insertBefore(row, place);
      last = row;
    }
    const hadFocus = before.some((row) => !kept.has(row) && row.contains(document.activeElement));
    for (const row of before) if (!kept.has(row)) row.remove();
    if (!this.#current?.isConnected) this.#go(anchor ?? this.rows()[0], hadFocus);
    return changed;
  }

  /** Takes over what differs; whether the value is another. */
  refresh(old: Row, fresh: Row): boolean {
    for (const name of ['aria-expanded', 'aria-posinset', 'aria-setsize', 'aria-level']) {
      const value = fresh.getAttribute(name);
      if (value === null) old.removeAttribute(name);
      else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    unmark(old);
    const [key, value, type] = old.cells;
    const [freshKey, freshValue, freshType] = fresh.cells;
    if (!key || !freshKey) return false;
    if (!value || !type || !freshValue || !freshType) {
      if (!key.contains(document.activeElement)) this.#take(old, key, freshKey);
      return false;
    }
    if (!find('a.twist', key) !== !find('a.twist', freshKey)) this.#take(old, key, freshKey);
    const was = value.textContent ?? '';
    const hasChanged = was !== freshValue.textContent && isOpen(fresh) !== 'true';
    if (value.innerHTML !== freshValue.innerHTML) this.#take(old, value, freshValue);
    if (type.innerHTML !== freshType.innerHTML) this.#take(old, type, freshType);
    if (hasChanged) mark(old, value, was);
    return hasChanged;
  }

  #take(row: Row, cell: HTMLTableCellElement, fresh: HTMLTableCellElement): void {
    cell.replaceChildren(...fresh.childNodes);
    this.#letTab(row, row === this.#current);
  }
}

/** Changes stay visible for a moment. */
const markedMs = 2000;
const marks = new WeakMap<Row, number>();
const longestWas = 40;

function mark(row: Row, value: HTMLTableCellElement, was: string): void {
  row.classList.add('changed');
  const note = document.createElement('span');
  note.className = 'was';
  note.textContent = `was ${was.length > longestWas ? `${was.slice(0, longestWas)}…` : was}`;
  if (was !== '') value.append(note);
  marks.set(
    row,
    window.setTimeout(() => unmark(row), markedMs),
  );
}

function unmark(row: Row): void {
  clearTimeout(marks.get(row));
  row.classList.remove('changed');
  find('.was', row)?.remove();
}
