/** The clock page, parsed by its markup alone. */
export interface ClockPage {
  readonly html: string;
  readonly time: string;
  readonly date: string;
  readonly languageTag: Select;
  readonly zoneID: Select;
  /** The words of the alert, escapes undone; undefined when there is none. */
  readonly alert: string | undefined;
}

export interface Select {
  /** Pairs of value and text, in the page's order. */
  readonly options: readonly (readonly [value: string, text: string])[];
  /** The values of all options that are marked. */
  readonly selected: readonly string[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');

function parseSelect(html: string, name: string): Select {
  const [, inner = ''] = new RegExp(`<select class="col-lg" name="${name}"[^>]*>(.*?)</select>`, 's').exec(html) ?? [];
  const found = [...inner.matchAll(/<option value="([^"]*)"( selected="selected")?[^>]*>([^<]*)<\/option>/g)];
  if (found.length === 0 || found.length !== inner.split('<option').length - 1) {
    throw new Error(`The select ${name} is not as specified: ${inner.slice(0, 300)}`);
  }
  return {
    options: found.map(([, value = '', , text = '']) => [unescapeHtml(value), unescapeHtml(text)]),
    selected: found.filter(([, , mark]) => mark !== undefined).map(([, value = '']) => unescapeHtml(value)),
  };
}

/** Throws if the markup is not as specified. */
export function parseClockPage(html: string): ClockPage {
  const titles = [...html.matchAll(/<h1 class="text-center"[^>]*>([^<]*)<\/h1>/g)].map(([, text = '']) => text);
  if (titles.length !== 2) throw new Error(`Two headings were expected, not ${titles.length}: ${html.slice(0, 500)}`);
  const [, alert] = /<\w+ [^>]*role="alert"[^>]*>(.*?)<\/(?:div|p|section)>/s.exec(html) ?? [];
  return {
    html,
    time: unescapeHtml(titles[0] ?? ''),
    date: unescapeHtml(titles[1] ?? ''),
    languageTag: parseSelect(html, 'languageTag'),
    zoneID: parseSelect(html, 'zoneID'),
    alert: alert === undefined ? undefined : unescapeHtml(alert.replace(/<[^>]*>/g, ' ').trim()),
  };
}
