import { showCopying } from './menus.ts';
import { addressOf, find, findAll, morph, parse, say } from './page.ts';

type Row = HTMLTableRowElement;

const levelOf = (row: Element) => Number(row.getAttribute('aria-level'));
const expandedOf = (row: Element) => row.getAttribute('aria-expanded');
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
    this.#moveTo(target instanceof HTMLTableRowElement ? target : this.rows()[0], false);
    table.addEventListener('click', (event) => this.#onClick(event));
    table.addEventListener('keydown', (event) => this.#onKey(event));
    table.addEventListener('submit', (event) => this.#onSubmit(event));
    table.addEventListener('focusin', ({ target: focused }) => {
      const row = (focused as Element).closest<Row>('tbody tr');
      if (row && row !== this.#current) this.#moveTo(row, false);
    });
  }

  rows(): Row[] {
    return [...this.#body.rows];
  }

  /** The controls of a row are reached by Tab only while the row is the current one. */
  #adopt(row: Row): void {
    showCopying(row);
    this.#setTabStop(row, row === this.#current);
  }

  #setTabStop(row: Row, isTabStop: boolean): void {
    const tabIndex = isTabStop ? 0 : -1;
    row.tabIndex = tabIndex;
    for (const control of findAll('a, button, summary, input', row)) control.tabIndex = tabIndex;
  }

  #moveTo(row: Row | undefined, hasFocus = true): void {
    if (!row) return;
    if (this.#current && this.#current !== row) this.#setTabStop(this.#current, false);
    this.#current = row;
    this.#setTabStop(row, true);
    if (hasFocus) row.focus();
  }

  /** The rows inside of an open row; all of them for the beginning of the tree. */
  #descendants(row: Row | undefined): Row[] {
    if (!row) return this.rows();
    const descendants: Row[] = [];
    for (let next = row.nextElementSibling; next && levelOf(next) > levelOf(row); next = next.nextElementSibling)
      descendants.push(next as Row);
    return descendants;
  }

  #parent(row: Row): Row | undefined {
    const rows = this.rows();
    return rows.slice(0, rows.indexOf(row)).findLast((before) => levelOf(before) < levelOf(row));
  }

  #onClick(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a.twist, .pages a');
    const row = link?.closest<Row>('tr');
    if (!link || !row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#moveTo(row);
    void this.#load(row, new URL(link.href));
  }

  #onSubmit(event: SubmitEvent): void {
    const form = event.target as HTMLFormElement;
    const row = form.closest<Row>('tr.pages');
    if (!row) return;
    event.preventDefault();
    void this.#load(row, addressOf(form));
  }

  #onKey(event: KeyboardEvent): void {
    const row = event.target;
    if (!(row instanceof HTMLTableRowElement) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#handleKey(row, event.key)) event.preventDefault();
  }

  /** Returns whether the key was for the tree. */
  #handleKey(row: Row, pressed: string): boolean {
    const rows = this.rows();
    const index = rows.indexOf(row);
    const isRtl = getComputedStyle(this.#table).direction === 'rtl';
    const mirrored: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };
    const key = (isRtl && mirrored[pressed]) || pressed;
    if (key === 'ArrowDown') this.#moveTo(rows[index + 1]);
    else if (key === 'ArrowUp') this.#moveTo(rows[index - 1]);
    else if (key === 'Home') this.#moveTo(rows[0]);
    else if (key === 'End') this.#moveTo(rows.at(-1));
    else if (key === 'ArrowRight') this.#openOrEnter(row, rows[index + 1]);
    else if (key === 'ArrowLeft') this.#closeOrLeave(row);
    else if (key === 'Enter') this.#follow(row);
    else if (key.length === 1 && key !== ' ') this.#typeAhead(rows, index, key.toLowerCase());
    else return false;
    return true;
  }

  #openOrEnter(row: Row, next: Row | undefined): void {
    if (expandedOf(row) === 'false') find('a.twist', row)?.click();
    else if (expandedOf(row) === 'true' && next && levelOf(next) > levelOf(row)) this.#moveTo(next);
  }

  #closeOrLeave(row: Row): void {
    if (expandedOf(row) === 'true') find('a.twist', row)?.click();
    else this.#moveTo(this.#parent(row));
  }

  /** Opens the page of the row, or the next page of a long container. */
  #follow(row: Row): void {
    const pages = row.matches('.pages') ? findAll<HTMLAnchorElement>('a', row) : [];
    const next = pages.find(({ textContent }) => textContent.startsWith('Next')) ?? pages[0];
    (next ?? find('.menu a', row) ?? find('a.twist', row))?.click();
  }

  /** The next row whose key begins with what was typed within half a second. */
  #typeAhead(rows: Row[], index: number, letter: string): void {
    const now = Date.now();
    const isContinued = now - this.#typed.at < 500;
    const text = isContinued ? this.#typed.text + letter : letter;
    this.#typed = { text, at: now };
    const start = isContinued ? index : index + 1;
    this.#moveTo([...rows.slice(start), ...rows.slice(0, start)].find((row) => keyOf(row).startsWith(text)));
  }

  /** Loads the page that a control of a row leads to, and shows its rows in place of these. */
  async #load(row: Row, url: URL): Promise<void> {
    if (row.ariaBusy === 'true') return;
    const container = this.#parent(row);
    row.ariaBusy = 'true';
    try {
      const answer = await fetch(url, { headers: { accept: 'text/html' } });
      if (!answer.ok) {
        say(answer.status === 404 ? 'This part is no longer there.' : `The server answered ${answer.status}.`);
        return;
      }
      this.update(findAll<Row>('#tree tbody tr', parse(await answer.text())));
      if (row.matches('.pages')) this.#moveTo(this.#descendants(container)[0]);
      url.hash = location.hash;
      history.replaceState(history.state, '', url);
      this.onChange();
    } catch {
      say('The server did not answer. Try again.');
    } finally {
      row.ariaBusy = null;
    }
  }

  /** Replaces all rows, and returns how many values have changed. Those with the same id keep focus, selection and open menus. */
  update(rows: readonly Row[]): number {
    const known = new Map(this.rows().map((row) => [row.id, row]));
    const hadFocus = this.#body.contains(document.activeElement);
    let changed = 0;
    const all = rows.map((fresh) => {
      const old = known.get(fresh.id);
      if (!old) this.#adopt(fresh);
      else if (old !== fresh && this.#refresh(old, fresh)) changed++;
      return old ?? fresh;
    });
    const kept = new Set(all);
    for (const row of known.values()) if (!kept.has(row)) row.remove();
    for (const [index, row] of all.entries()) {
      const place = this.#body.rows[index] ?? null;
      if (place !== row) this.#body.insertBefore(row, place);
    }
    if (!this.#current?.isConnected) this.#moveTo(this.rows()[0], hadFocus);
    return changed;
  }

  /** Updates a row; returns whether its value has changed. */
  #refresh(old: Row, fresh: Row): boolean {
    unmark(old);
    const [was, now] = [old, fresh].map((row) => find('.val', row)?.textContent ?? '');
    morph(old, fresh);
    this.#adopt(old);
    if (was === now || expandedOf(old) === 'true') return false;
    mark(old, was);
    return true;
  }
}

/** Changes stay visible for a moment. */
const markedMs = 2000;
const marks = new WeakMap<Row, number>();
const longestWas = 40;

function mark(row: Row, was = ''): void {
  row.classList.add('changed');
  const note = document.createElement('span');
  note.className = 'was';
  note.textContent = `was ${was.length > longestWas ? `${was.slice(0, longestWas)}…` : was}`;
  if (was !== '') find('.val', row)?.append(note);
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
