import { isA, isTagged } from './shape.ts';
import { type Live, view } from './view-table.ts';

/** The name is checked first, since reading one of the globals of fetch loads all of them. */
const isGlobal = (name: string) => ({
  named: name,
  is: (value: object) => isTagged(value) && isA(value, Reflect.get(globalThis, name) as Live),
});

/** Pairs as a map; a repeated name gets a list of its values. */
function grouped(pairs: Iterable<readonly [string, unknown]>): Map<string, unknown> {
  const all = new Map<string, unknown[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return new Map([...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

const intlNames = Object.getOwnPropertyNames(Intl).filter((name) => /^(?!Locale)[A-Z]/.test(name));
const isIntl = {
  named: intlNames.join(' '),
  is: (value: object) => isTagged(value) && intlNames.some((name) => isA(value, Reflect.get(Intl, name) as Live)),
};

export const web = [
  ...['Headers', 'FormData', 'URLSearchParams'].map((name) =>
    view(name, {
      ...isGlobal(name),
      content: grouped,
    }),
  ),
  // Bodies are not read: that would use them up.
  view('Request', {
    ...isGlobal('Request'),
    reads: { method: 'method', url: 'url', bodyUsed: 'bodyUsed' },
    content: ({ method, url, headers, bodyUsed }) => ({ method, url, headers: grouped(headers), bodyUsed }),
  }),
  view('Response', {
    ...isGlobal('Response'),
    reads: { status: ({ status }) => String(status), url: ({ url }) => url || undefined, bodyUsed: 'bodyUsed' },
    content: ({ status, statusText, url, headers, bodyUsed }) => ({
      status,
      statusText,
      url,
      headers: grouped(headers),
      bodyUsed,
    }),
  }),
  view('Blob', {
    ...isGlobal('Blob'),
    reads: { size: 'size bytes' },
    settings: { type: ({ type }) => type || undefined },
  }),
  view('AbortSignal', { ...isGlobal('AbortSignal'), reads: { aborted: 'aborted' } }),
  view('Intl', { ...isIntl, content: (live) => live.resolvedOptions() }),
];
