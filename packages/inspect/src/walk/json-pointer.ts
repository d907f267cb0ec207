import { types } from 'node:util';
import { InspectError } from '../errors.ts';
import type { Masking } from '../masking/masking.ts';
import { everything, nothing, type Secrecy } from '../masking/secret-key.ts';
import { callToJson, findToJson } from './bean-code.ts';
import { builtInScalar, bytesOf, isOpaque } from './built-in.ts';
import {
  type ContainerOptions,
  containerCursor,
  entrySecrecy,
  inheritedSecrecy,
  proxyCursor,
} from './container-cursor.ts';
import { hiddenContent, proxyContent } from './content.ts';
import { ArrayCursor, type Cursor, type EntryMark, PropertyCursor, type SecrecyOf } from './cursors.ts';
import { mapHas, mapSize, setSize } from './intrinsics.ts';
import { MapCursor, MapEntryListCursor, MapScan } from './map-cursors.ts';
import { closedMarker } from './markers.ts';
import { type ContentOf, type GetterPolicy, isMethod, mayHaveEntries, ownProperty } from './reflection.ts';
import { WorkBudget } from './work-budget.ts';

/** A JSON Pointer (RFC 6901) from its reference tokens. */
export function pointerTo(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}

/** Few tokens have anything to escape. */
function escapeToken(token: string): string {
  if (!token.includes('~') && !token.includes('/')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The reference tokens of a JSON Pointer; undefined when it is none. */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.slice(1).split('/');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Which value to show, and what may be read on the way to it. */
export interface PointerOptions {
  /** The JSON Pointer of the value within its bean. */
  readonly at: string;
  readonly masking: Masking;
  /** Whether errors show their stack. */
  readonly stacks: boolean;
  readonly getters: GetterPolicy;
  /** Whether proxies are entered, which fires their traps. */
  readonly proxies: boolean;
  /** What is not shown; undefined where there is nothing. */
  readonly closed?: ReadonlySet<object> | undefined;
  /** What is known of objects that show nothing. */
  readonly contentOf?: ContentOf | undefined;
}

/** To look at all keys of a big map would stop everybody else; what the first ones are, the others mostly are too. */
const maxScannedKeys = 100_000;

/** A list that is made while one goes through it may have no end, and may take its time. */
const maxSeekMs = 200;
/** Entries between two looks at the clock. */
const seekStep = 64;

const indexPattern = /^(?:0|[1-9]\d*)$/;

/** A part of a value, why it is a marker, if it is one, and what of it must not be shown. */
export interface Part {
  readonly value: unknown;
  readonly mark: EntryMark | 'closed' | undefined;
  readonly secrecy: Secrecy;
}

/** The part of a value that a JSON Pointer leads to, along the entries that a walk would show. */
export function partAt(value: unknown, options: PointerOptions): Part {
  const tokens = pointerTokens(options.at) ?? [];
  let part: Part = { value, mark: undefined, secrecy: nothing };
  tokens.forEach((token, index) => {
    const path = (key: string) => pointerTo([...tokens.slice(0, index), key]);
    let inherited: Secrecy = nothing;
    const secrecyOf: SecrecyOf = (key) => options.masking.secrecyOf(key, () => path(key), inherited);
    const object = part.secrecy === everything ? undefined : shownObject(part, tokens[index - 1] ?? '', token, options);
    const cursor = object === undefined ? undefined : cursorOf(object, token, { secrecyOf, stacks: options.stacks });
    if (object === undefined || cursor === undefined) throw missing();
    const identities = [part.value as object, object];
    inherited = inheritedSecrecy({ identities, isList: cursor.kind === 'list', secrecy: part.secrecy });
    if (!seek(cursor, token)) throw missing();
    const isHidden = options.masking.hidesEntry(token, cursor.value, () => path(token));
    const { value: found, mark } = cursor;
    part = { value: found, mark, secrecy: isHidden ? everything : entrySecrecy(cursor, inherited, secrecyOf) };
    if (isClosed(part.value, options)) part = { value: closedMarker, mark: 'closed', secrecy: nothing };
    cursor.close?.();
  });
  return part;
}

/** Whether a value is not to be shown, wherever it is found. */
export const isClosed = (value: unknown, { closed }: Pick<PointerOptions, 'closed'>): boolean =>
  closed?.has(value as object) === true;

function cursorOf(object: object, token: string, options: ContainerOptions): Cursor | undefined {
  if (types.isProxy(object)) {
    const cursor = proxyCursor(object, options.secrecyOf);
    return typeof cursor === 'string' ? undefined : cursor;
  }
  // To look at all keys of a big map takes long; only the place of an entry in a list depends on them.
  if (types.isMap(object) && !indexPattern.test(token) && mapHas(object, token))
    return new MapCursor(object, options.secrecyOf);
  return scannedCursor(object, { secrecyOf: options.secrecyOf, stacks: options.stacks, name: token });
}

/** How to go through a container at once, when only the first of many keys are looked at. */
export function scannedCursor(object: object, options: ContainerOptions): Cursor {
  const cursor = containerCursor(object, options);
  if (!(cursor instanceof MapScan)) return cursor;
  cursor.advance(maxScannedKeys);
  return cursor.kind === 'list' ? new MapEntryListCursor(cursor.map) : new MapCursor(cursor.map, options.secrecyOf);
}

/** The entries of a container. */
export function sizeOf(container: object, stacks: boolean): number {
  if (types.isMap(container)) return mapSize(container);
  if (types.isSet(container)) return setSize(container);
  return scannedCursor(container, { secrecyOf: () => everything, stacks }).remaining();
}

function missing(): Error {
  return new InspectError(
    'JIG_INSPECTION_PART_MISSING',
    'at leads to nothing in the inspected value; look at the whole of it first',
  );
}

function unreached(): Error {
  return new InspectError(
    'JIG_INSPECTION_PART_MISSING',
    'at leads to an entry that was not reached in time; look at entries that come earlier',
    { fields: { isUnreached: true } },
  );
}

/** The object whose entries a walk would show in the place of this value. */
function shownObject(
  { value, secrecy }: Part,
  key: string,
  token: string,
  options: PointerOptions,
): object | undefined {
  if (!mayHaveEntries(value) || isClosed(value, options)) return undefined;
  const content = types.isProxy(value) ? proxyContent(value, options) : undefined;
  if (types.isProxy(value) && (content === undefined || secrecy !== nothing))
    return options.proxies && secrecy === nothing ? value : undefined;
  if (content === undefined && bytesOf(value) !== undefined) return undefined;
  const made = content ?? madeOf(value, key, token, options.contentOf);
  if (made === value) return builtInScalar(value) === undefined ? value : undefined;
  if (!mayHaveEntries(made) || types.isProxy(made) || isClosed(made, options)) return undefined;
  return bytesOf(made) === undefined && builtInScalar(made) === undefined ? made : undefined;
}

/** A property of an object that is shown as it is, which any later look finds by its name alone. */
export function ownEntry(value: unknown, token: string, options: PointerOptions): PropertyDescriptor | undefined {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  const own = ownProperty(value, token);
  if (own?.enumerable !== true || !('value' in own) || findToJson(value) !== undefined) return undefined;
  if (shownObject({ value, mark: undefined, secrecy: nothing }, '', token, options) !== value) return undefined;
  const cursor = cursorOf(value, token, { secrecyOf: () => nothing, stacks: options.stacks });
  return cursor instanceof PropertyCursor ? own : undefined;
}

/** What is shown in the place of an object; one that has what is looked for is not asked for all that it has. */
function madeOf(object: object, key: string, token: string, contentOf: ContentOf | undefined): unknown {
  const own = ownProperty(object, token);
  const hasToken = own?.enumerable === true && 'value' in own && !isMethod(own.value) && !isOpaque(object);
  const content = hasToken ? undefined : hiddenContent(object, contentOf);
  if (content !== undefined) return content.value;
  const toJson = builtInScalar(object) === undefined ? findToJson(object) : undefined;
  return toJson === undefined ? object : callToJson(toJson, object, key);
}

function seek(cursor: Cursor, token: string): boolean {
  if (cursor.kind === 'list' && !indexPattern.test(token)) return false;
  if (cursor instanceof ArrayCursor) return cursor.seek(Number(token));
  if (cursor instanceof PropertyCursor) return cursor.seek(token);
  if (cursor instanceof MapCursor && cursor.seek(token)) return true;
  const most = cursor.kind === 'object' ? maxScannedKeys : Number.POSITIVE_INFINITY;
  const budget = new WorkBudget(maxSeekMs);
  for (let seen = 1; seen <= most && cursor.next(); seen++) {
    if (String(cursor.key) === token) return true;
    if (seen % seekStep > 0 || !budget.isUsedUp()) continue;
    cursor.close?.();
    throw unreached();
  }
  return false;
}
