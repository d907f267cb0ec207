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

// Some browsers report an offset in place of a name.
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
  // Read at the start, since browsers change it when they translate the page.
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
  // If the browser formats the time differently, the server is asked each second.
  const isSameFormat = letters(format.format(written + Number(board.dataset.offset))) === letters(time.textContent);
  // The zone's offset and until when it is valid, by the server's rules: the browser's may be older or newer.
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

  /** Asks the server for the current texts; one request at a time, and a pause after a failure. */
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
      // Another tab has changed the choice.
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
    if (!isSameFormat) time.textContent = texts.time;
    const glance = document.querySelector('aside > a');
    if (glance) {
      glance.textContent = texts.zoneName;
      glance.nextSibling?.remove();
      glance.after(texts.difference);
    }
    write(Date.now() + ahead);
  }

  function write(now: number): void {
    if (isSameFormat && now < until) time.textContent = format.format(now + offset);
    if (!isSameFormat || now >= until || dayOf(now) !== day || Date.now() - heard > hour) void ask();
  }

  let lead = Date.now() - performance.now();
  function tick(): void {
    if (isLeaving) return;
    // The computer slept, or its clock was set.
    if (Math.abs(Date.now() - performance.now() - lead) > 1000) {
      lead = Date.now() - performance.now();
      void ask();
    }
    const now = Date.now() + ahead;
    write(now);
    setTimeout(tick, 1001 - (((now % 1000) + 1000) % 1000));
  }

  if (known === undefined || (isFirstVisit && isChosen)) void ask();
  // The server rendered another zone; that is shown if it does not answer.
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

// Starts when the page is parsed, before its other scripts are loaded.
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
