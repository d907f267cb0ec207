import { type ContainerKind, cursorOf } from '../entries/entries.ts';
import type { SecrecyOf } from '../entries/entry-cursor.ts';
import { allSecret } from '../masking/secret-key.ts';
import { maskMark } from '../masking/secrets.ts';
import { isPair, mayHaveEntries, typeName } from '../objects/reflection.ts';
import { primitiveText } from '../objects/shown-text.ts';
import type { ShownOptions } from './shown-scalar.ts';
import { type Part, shownValue } from './shown-value.ts';

interface PreviewOptions extends Pick<ShownOptions, 'closed' | 'masking' | 'context'> {
  readonly kind: ContainerKind;
  readonly secrecyOf: SecrecyOf;
}

const previewedEntries = 3;
const longestItem = 32;

/** The first entries of a container in one line: `{ name: "Ada", age: 36, … }`. Runs no code of the bean: getters are left out. */
export function entriesPreview(object: object, options: PreviewOptions): string {
  const { context, kind, secrecyOf, masking } = options;
  const cursor = cursorOf(object, { context, secrecyOf, isDataOnly: true }, kind);
  const sign = kind === 'map' ? ' → ' : ': ';
  const parts: string[] = [];
  while (parts.length <= previewedEntries && cursor.next()) {
    const { key, value } = cursor;
    if (parts.length === previewedEntries) parts.push('…');
    else if (!cursor.isList) parts.push(`${short(masking.key(String(key)))}${sign}${item(cursor, options)}`);
    else if (isPair(value)) parts.push(pair(value, options));
    else parts.push(item(cursor, options));
  }
  // Iterators are not run for a preview.
  const line = kind === 'array' && !Array.isArray(object) ? '…' : parts.join(', ');
  if (kind === 'array' || kind === 'set') return `[${line}]`;
  return line === '' ? '{}' : `{ ${masking.text(line)} }`;
}

function pair(object: object, options: PreviewOptions): string {
  const { context, secrecyOf, masking } = options;
  const cursor = cursorOf(object, { context, secrecyOf, isDataOnly: true }, 'object');
  const parts: string[] = [];
  while (cursor.next()) {
    const { key, value } = cursor;
    const isName = key === 'key' && !mayHaveEntries(value) && typeof value !== 'function';
    parts.push(isName ? short(masking.key(primitiveText(value))) : item(cursor, options));
  }
  return parts.join(' → ');
}

const short = (text: string) => (text.length > longestItem ? `${text.slice(0, longestItem)}…` : text);

/** A scalar as itself, anything else by its class. */
function item({ value, secrecy, mark }: Part, { context, masking, closed }: PreviewOptions): string {
  if (secrecy === allSecret) return maskMark;
  if (mayHaveEntries(value) && closed?.has(value) !== true) return short(masking.key(typeName(value)));
  const shown = shownValue({ value, secrecy, mark }, '', { context, masking, closed, text: longestItem });
  if (!('text' in shown)) return shown.type;
  const { kind, text, left } = shown;
  const whole = kind === 'string' ? JSON.stringify(text) : text;
  return left === 0 ? whole : kind === 'string' ? `${whole.slice(0, -1)}…"` : `${whole}…`;
}
