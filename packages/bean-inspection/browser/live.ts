import { find, morph, parse, parseRows, say } from './page.ts';
import type { Tree } from './tree.ts';

/** What the server sends when shown rows have changed. */
interface RowChanges {
  readonly time: string;
  /** The ids of all rows in their order, where it is not the same as before. */
  readonly ids?: readonly string[];
  /** The markup of the changing readings, where it differs. */
  readonly tiles?: string;
  /** The markup of the rows that are new or differ. */
  readonly rows: string;
}

const retryMs = 2000;
const counted = (count: number) => `${count} value${count === 1 ? '' : 's'} changed`;

/** Follows a bean with one stream for all open containers. */
export function startLiveTree(tree: Tree): void {
  const restart = startLive((data) => {
    const { time, ids, tiles, rows } = JSON.parse(data) as RowChanges;
    const fresh = new Map(parseRows(rows).map((row) => [row.id, row]));
    const known = new Map(tree.rows().map((row) => [row.id, row]));
    const all = (ids ?? [...known.keys()]).flatMap((id) => fresh.get(id) ?? known.get(id) ?? []);
    const changed = tree.update(all);
    const [shownTiles, freshTiles] = [find('#tiles'), tiles && parse(tiles).firstElementChild];
    if (shownTiles && freshTiles) morph(shownTiles, freshTiles);
    const shown = find('#time');
    if (shown) shown.textContent = time;
    const took = find('#took');
    if (took) took.hidden = true;
    if (changed > 0) say(`${counted(changed)} at ${time}`, false);
  });
  tree.onChange = restart;
}

/** Follows what is recorded, or the processes of the console. */
export function startLiveWatch(watched: HTMLElement): void {
  startLive((data) => {
    const { time, watched: markup } = JSON.parse(data) as { time: string; watched: string };
    const fresh = watched.cloneNode() as HTMLElement;
    fresh.append(parse(markup));
    morph(watched, fresh);
    const shown = find('#time');
    if (shown) shown.textContent = time;
  });
}

/** Streams the page's changes while its switch is on and it is visible; returns a function that restarts the stream. */
function startLive(show: (data: string) => void): () => void {
  const link = find<HTMLAnchorElement>('#live');
  if (!link) return () => {};
  // `?live=1` makes the server reload the page, which is for browsers without script.
  const here = new URL(location.href);
  if (here.searchParams.has('live')) {
    here.searchParams.delete('live');
    here.hash = 'live';
    location.replace(here);
    return () => {};
  }
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'switch';
  button.id = 'live';
  button.setAttribute('role', 'switch');
  button.append(...link.childNodes);
  link.replaceWith(button);

  const isOnAtFirst = link.dataset.on !== undefined;
  let isOn = isOnAtFirst ? location.hash !== '#still' : location.hash === '#live';
  let stream: AbortController | undefined;
  let retry = 0;

  const follow = () => {
    stream?.abort();
    stream = undefined;
    clearTimeout(retry);
    button.setAttribute('aria-checked', String(isOn));
    if (!isOn || document.hidden) return;
    stream = new AbortController();
    void read(stream.signal);
  };

  const read = async (signal: AbortSignal) => {
    const address = new URL(location.href);
    address.hash = '';
    try {
      // Not an EventSource, which would send no token and hide the status.
      const answer = await fetch(address, { headers: { accept: 'text/event-stream' }, signal });
      if (answer.ok && answer.body) {
        say('Live', false);
        for await (const data of events(answer.body)) show(data);
      } else if (answer.status < 500) {
        isOn = false;
        say(answer.status === 404 ? 'This part is no longer there.' : `The server answered ${answer.status}.`);
        follow();
        return;
      }
    } catch {
      // The server has gone, or the page has ended the stream.
    }
    if (signal.aborted) return;
    say('Connecting again…', false);
    retry = window.setTimeout(follow, retryMs);
  };

  button.addEventListener('click', () => {
    isOn = !isOn;
    const hash = isOn === isOnAtFirst ? '' : isOn ? '#live' : '#still';
    history.replaceState(history.state, '', hash || location.pathname + location.search);
    say(isOn ? 'Live' : '');
    follow();
  });
  document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => stream?.abort());
  follow();
  return follow;
}

/** The data of each event (HTML, section 9.2.6), as far as our server writes them. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const lines = part.split('\n').filter((line) => line.startsWith('data:'));
      if (lines.length > 0) yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
}
