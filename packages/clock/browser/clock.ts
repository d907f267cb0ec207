import { improveForm } from './form.ts';
import { differenceOfAnswer, differenceOfPage } from './server-time.ts';

/** The answer of `/clock/time.json`. */
interface ClockAnswer {
  readonly languageTag: string;
  readonly zoneID: string;
  readonly isZoneChosen: boolean;
  readonly now: number;
  readonly offset: number;
  readonly until: number;
  readonly time: string;
  readonly date: string;
  readonly zoneName: string;
  readonly difference: string;
}

const root = document.documentElement;
const hour = 3_600_000;

function show(): void {
  root.style.visibility = '';
}

// Where a browser knows no name of its zone, it gives the offset.
const reported: string = (Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }).timeZone ?? 'UTC';
const own = reported.replace(/^[+-]00:00$/, 'GMT').replace(/^[+-]/, 'GMT$&');
const cookie = `clock-zone=${encodeURIComponent(own)}`;
/** Whether the server made the page without knowing the browser's zone. */
const isFirstVisit = !`; ${document.cookie};`.includes(`; ${cookie};`);
if (isFirstVisit) {
  document.cookie = `${cookie}; path=/clock; max-age=31536000; samesite=lax`;
  root.style.visibility = 'hidden';
  setTimeout(show, 3000);
}

function startClock(): void {
  // Kept, since a browser that translates the page changes it.
  const { lang } = root;
  const board = document.querySelector('.jumbotron') as HTMLElement;
  const [time, date] = board.children as unknown as [Element, Element];
  const zones = document.querySelector('[name=zoneID]') as HTMLSelectElement;
  const isChosen = board.dataset.chosen === 'true';
  const isOwn = !isChosen && zones.value !== own && offer(zones, own);
  if (isOwn) zones.value = own;
  const zone = zones.value;
  const format = new Intl.DateTimeFormat(board.dataset.locale, { timeStyle: 'medium', timeZone: 'UTC' });
  const written = Number(board.dataset.now);
  const letters = (text: string | null) => text?.replace(/\s/g, '');
  // A browser may know the locale otherwise than the server, or not at all: then the server is asked each second.
  const isAlike = letters(format.format(written + Number(board.dataset.offset))) === letters(time.textContent);
  // How far the zone is ahead of UTC, and until when, by the server's rules: the browser's may be older or newer.
  let offset = Number(board.dataset.offset);
  let until = isOwn ? 0 : Number(board.dataset.until);
  const dayOf = (now: number) => Math.floor((now + offset) / (24 * hour));
  let day = dayOf(written);

  const known = differenceOfPage(written);
  let ahead = known ?? 0;
  let heard = Date.now();
  let isAsking = false;
  let isLeaving = false;

  const query = new URLSearchParams(location.search);
  query.set('browserZone', own);

  /** Asks the server for what it would write now; one question at a time, and after a failure not at once again. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const sent = Date.now();
      const signal = AbortSignal.timeout?.(3000) ?? null;
      const answer = await fetch(`/clock/time.json?${query}`, { signal });
      const texts = (await answer.json()) as ClockAnswer;
      heard = Date.now();
      ahead = differenceOfAnswer(texts.now, sent, heard);
      // Something else was chosen meanwhile, in another window.
      isLeaving = texts.languageTag !== lang || texts.isZoneChosen !== isChosen || texts.zoneID !== zone;
      if (isLeaving) location.reload();
      else use(texts);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
    isAsking = false;
  }

  function use(texts: ClockAnswer): void {
    offset = texts.offset;
    until = texts.until;
    day = dayOf(texts.now);
    date.textContent = texts.date;
    if (!isAlike) time.textContent = texts.time;
    const glance = document.querySelector('aside > a');
    if (glance) {
      glance.textContent = texts.zoneName;
      glance.nextSibling?.remove();
      glance.after(texts.difference);
    }
    write(Date.now() + ahead);
  }

  function write(now: number): void {
    if (isAlike && now < until) time.textContent = format.format(now + offset);
    if (!isAlike || now >= until || dayOf(now) !== day || Date.now() - heard > hour) void ask();
  }

  let lead = Date.now() - performance.now();
  function tick(): void {
    if (isLeaving) return;
    // The computer slept, or somebody has set its clock.
    if (Math.abs(Date.now() - performance.now() - lead) > 1000) {
      lead = Date.now() - performance.now();
      void ask();
    }
    const now = Date.now() + ahead;
    write(now);
    setTimeout(tick, 1001 - (((now % 1000) + 1000) % 1000));
  }

  if (known === undefined || (isFirstVisit && isChosen)) void ask();
  // What the server wrote is of another zone; it is shown all the same when the server does not answer.
  if (isOwn) void ask().finally(show);
  else show();
  tick();
}

function offer(zones: HTMLSelectElement, id: string): boolean {
  if ([...zones.options].some(({ value }) => value === id)) return true;
  if (!id.startsWith('GMT')) return false;
  zones.add(new Option(`${id} - ${id}`, id), 0);
  return true;
}

// The page is whole before the scripts that it loads have come.
document.addEventListener(
  'readystatechange',
  () => {
    try {
      startClock();
    } catch (thrown) {
      show();
      throw thrown;
    }
  },
  { once: true },
);
addEventListener('DOMContentLoaded', improveForm);
