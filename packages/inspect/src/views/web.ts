import { isA, isNamed } from './shape.ts';
import { setting, type View, type With } from './view.ts';

// By name first: to ask for one of the classes of fetch loads all of them.

/** Pairs as an object; a name that comes again has a list. */
function grouped(pairs: Iterable<readonly [string, unknown]>): Map<string, unknown> {
  const all = new Map<string, unknown[]>();
  for (const [name, value] of pairs) all.set(name, [...(all.get(name) ?? []), value]);
  return new Map([...all].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

export const headers: View<Headers> = {
  name: 'Headers',
  matches: (value): value is Headers => isNamed(value, 'Headers') && isA(value, globalThis.Headers),
  content: (value) => grouped(value),
};

export const formData: View<FormData> = {
  name: 'FormData',
  matches: (value): value is FormData => isNamed(value, 'FormData') && isA(value, globalThis.FormData),
  content: (value) => grouped(value),
};

export const urlSearchParams: View<URLSearchParams> = {
  name: 'URLSearchParams',
  matches: (value): value is URLSearchParams => isA(value, URLSearchParams),
  content: (value) => grouped(value),
};

/** Bodies are not read: that would use them up. */
export const request: View<Request> = {
  name: 'Request',
  matches: (value): value is Request => isNamed(value, 'Request') && isA(value, globalThis.Request),
  readings: {
    method: { read: ({ method }) => method },
    url: { read: ({ url }) => url },
    bodyUsed: { read: ({ bodyUsed }) => bodyUsed },
  },
  content: ({ method, url, headers, bodyUsed }) => ({ method, url, headers: grouped(headers), bodyUsed }),
};

export const response: View<Response> = {
  name: 'Response',
  matches: (value): value is Response => isNamed(value, 'Response') && isA(value, globalThis.Response),
  readings: {
    status: { read: ({ status }) => String(status) },
    url: { read: ({ url }) => url || undefined },
    bodyUsed: { read: ({ bodyUsed }) => bodyUsed },
  },
  content: ({ status, statusText, url, headers, bodyUsed }) => ({
    status,
    statusText,
    url,
    headers: grouped(headers),
    bodyUsed,
  }),
};

export const blob: View<Blob> = {
  name: 'Blob',
  matches: (value): value is Blob => isA(value, Blob),
  readings: { size: { read: ({ size }) => size, unit: 'bytes' }, type: setting(({ type }) => type || undefined) },
};

export const abortSignal: View<AbortSignal> = {
  name: 'AbortSignal',
  matches: (value): value is AbortSignal => isA(value, AbortSignal),
  readings: { aborted: { read: ({ aborted }) => aborted } },
};

type IntlFormat = With<'resolvedOptions', () => object>;

const intlClasses = Object.getOwnPropertyNames(Intl)
  .filter((name) => name !== 'Locale' && /^[A-Z]/.test(name))
  .map((name) => Reflect.get(Intl, name) as { readonly prototype: object });

export const intl: View<IntlFormat> = {
  name: 'Intl',
  matches: (value): value is IntlFormat => intlClasses.some((each) => isA(value, each)),
  content: (value) => value.resolvedOptions(),
};
