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

function showPage(): void {
  root.style.visibility = '';
}

// Some browsers report an offset in place of a name.
const reported: string = (Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }).timeZone ?? 'UTC';
const browserZone = reported.replace(/^[+-]00:00$/, 'GMT').replace(/^[+-]/, 'GMT$&');
const cookie = `clock-zone=${encodeURIComponent(browserZone)}`;
/** Whether the server made the page without knowing the browser's zone. */
const isFirstVisit = !`; ${document.cookie};`.includes(`; ${cookie};`);
if (isFirstVisit) {
  document.cookie = `${cookie}; path=/clock; max-age=31536000; samesite=lax`;
  root.style.visibility = 'hidden';
  setTimeout(showPage, 3000);
}

function startClock(): void {
  // Read at the start, since browsers change it when they translate the page.
  const { lang } = root;
  const board = document.querySelector('.jumbotron') as HTMLElement;
  const [time, date] = board.children as unknown as [Element, Element];
  const zones = document.querySelector('[name=zoneID]') as HTMLSelectElement;
  const isChosen = board.dataset.chosen === 'true';
  const isBrowserZone = !isChosen && zones.value !== browserZone && ensureOption(zones, browserZone);
  if (isBrowserZone) zones.value = browserZone;
  const zone = zones.value;
  const format = new Intl.DateTimeFormat(board.dataset.locale, { timeStyle: 'medium', timeZone: 'UTC' });
  const written = Number(board.dataset.now);
  const compact = (text: string | null) => text?.replace(/\s/g, '');
  // If the browser formats the time differently, the server is asked each second.
  const isSameFormat = compact(format.format(written + Number(board.dataset.offset))) === compact(time.textContent);
  // The zone's offset and until when it is valid, by the server's rules: the browser's may be older or newer.
  let offset = Number(board.dataset.offset);
  let until = isBrowserZone ? 0 : Number(board.dataset.until);
  const dayOf = (now: number) => Math.floor((now + offset) / (24 * hour));
  let day = dayOf(written);

  const measured = differenceOfPage(written);
  let serverAhead = measured ?? 0;
  let answeredAt = Date.now();
  let isAsking = false;
  let isLeaving = false;

  const query = new URLSearchParams(location.search);
  query.set('browserZone', browserZone);

  /** Asks the server for the current texts; one request at a time, and a pause after a failure. */
  async function askServer(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      const sent = Date.now();
      const signal = AbortSignal.timeout?.(3000) ?? null;
      const answer = await fetch(`/clock/time.json?${query}`, { signal });
      const texts = (await answer.json()) as ClockAnswer;
      answeredAt = Date.now();
      serverAhead = differenceOfAnswer(texts.now, sent, answeredAt);
      // Another tab has changed the choice.
      isLeaving = texts.languageTag !== lang || texts.isZoneChosen !== isChosen || texts.zoneID !== zone;
      if (isLeaving) location.reload();
      else showTexts(texts);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 3000));
    }
    isAsking = false;
  }

  function showTexts(texts: ClockAnswer): void {
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
    showTime(Date.now() + serverAhead);
  }

  function showTime(now: number): void {
    if (isSameFormat && now < until) time.textContent = format.format(now + offset);
    if (!isSameFormat || now >= until || dayOf(now) !== day || Date.now() - answeredAt > hour) void askServer();
  }

  let clockDifference = Date.now() - performance.now();
  function tick(): void {
    if (isLeaving) return;
    // The computer slept, or its clock was set.
    if (Math.abs(Date.now() - performance.now() - clockDifference) > 1000) {
      clockDifference = Date.now() - performance.now();
      void askServer();
    }
    const now = Date.now() + serverAhead;
    showTime(now);
    setTimeout(tick, 1001 - (((now % 1000) + 1000) % 1000));
  }

  if (measured === undefined || (isFirstVisit && isChosen)) void askServer();
  // The server rendered another zone; that is shown if it does not answer.
  if (isBrowserZone) void askServer().finally(showPage);
  else showPage();
  tick();
}

function ensureOption(zones: HTMLSelectElement, id: string): boolean {
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
      showPage();
      throw thrown;
    }
  },
  { once: true },
);
addEventListener('DOMContentLoaded', improveForm);
