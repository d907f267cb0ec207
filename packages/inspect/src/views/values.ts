import { isOpaque } from '../walk/built-in.ts';
import { isMethod, ownProperty } from '../walk/reflection.ts';
import { can, has } from './shape.ts';
import type { View } from './view.ts';

interface Textual {
  toJSON(): unknown;
}

/** Names that no other class has, of Luxon, Day.js, decimal.js and big.js. */
const shapes = [
  ['isLuxonDateTime'],
  ['$d', '$L', '$y'],
  ['s', 'e', 'd', 'toDecimalPlaces'],
  ['s', 'e', 'c', 'toFixed'],
];

/** A moment or a number of a library, which says in one text what it is. Its document is as it was. */
export const value: View<Textual> = {
  name: 'value',
  matches: (object): object is Textual => can(object, 'toJSON') && shapes.some((names) => has(object, ...names)),
  readings: { state: { read: (object) => object.toJSON() } },
};

/** An object whose properties are all under symbols: shown by their descriptions. */
export const symbols: View = {
  name: 'symbols',
  matches: (object): object is object =>
    typeof object === 'object' &&
    !isOpaque(object) &&
    ownSymbols(object).length > 0 &&
    Object.keys(object).length === 0,
  content: (object) =>
    Object.fromEntries(
      ownSymbols(object).map((symbol, index) => [
        symbol.description || `symbol ${index + 1}`,
        ownProperty(object, symbol)?.value,
      ]),
    ),
};

const ownSymbols = (object: object) =>
  Object.getOwnPropertySymbols(object).filter((symbol) => !isMethod(ownProperty(object, symbol)?.value));
