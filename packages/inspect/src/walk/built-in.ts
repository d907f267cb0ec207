import { types } from 'node:util';
import * as intrinsics from './intrinsics.ts';
import { classMarker } from './markers.ts';
import { isOpaque } from './opaque.ts';
import { inheritsFrom } from './property.ts';

export type Scalar = null | boolean | number | bigint | string;

/** What a built-in that is one value, not a container, becomes; undefined for any other object. Binary data aside. */
export function builtInScalar(object: object): Scalar | undefined {
  if (types.isDate(object)) return timeOf(object);
  if (types.isRegExp(object)) return regExpText(object);
  if (types.isBoxedPrimitive(object)) return unboxed(object);
  return urlOf(object) ?? temporalOf(object) ?? (isOpaque(object) ? classMarker(object) : undefined);
}

function timeOf(date: Date): number | null {
  const time = intrinsics.dateTime(date);
  return Number.isNaN(time) ? null : time;
}

function regExpText(object: object): string {
  const text = attempt(() => `/${intrinsics.regExpSource(object)}/${intrinsics.regExpFlags(object)}`);
  return text ?? classMarker(object);
}

function unboxed(object: object): Scalar {
  if (types.isStringObject(object)) return intrinsics.stringOf(object);
  if (types.isBooleanObject(object)) return intrinsics.booleanOf(object);
  if (types.isBigIntObject(object)) return intrinsics.bigIntOf(object);
  if (types.isSymbolObject(object)) return String(intrinsics.symbolOf(object));
  return numberScalar(intrinsics.numberOf(object));
}

/** JSON has no word for these numbers, so they become text. */
export function numberScalar(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function urlOf(object: object): string | undefined {
  if (!inheritsFrom(object, (prototype) => prototype === URL.prototype)) return undefined;
  return attempt(() => intrinsics.urlText(object));
}

const temporalTexts = 'ZonedDateTime PlainDateTime PlainDate PlainTime PlainYearMonth PlainMonthDay Duration'.split(
  ' ',
);

function temporalOf(object: object): number | string | undefined {
  const instant = intrinsics.temporalPrototype('Instant');
  if (instant === undefined) return undefined;
  if (inheritsFrom(object, (prototype) => prototype === instant)) {
    return attempt(() => intrinsics.epochMilliseconds(object));
  }
  const name = temporalTexts.find((each) =>
    inheritsFrom(object, (prototype) => prototype === intrinsics.temporalPrototype(each)),
  );
  return name === undefined ? undefined : attempt(() => intrinsics.temporalText(name, object));
}

/** Built-ins refuse an object that merely inherits from them: then it is an ordinary object. */
function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
