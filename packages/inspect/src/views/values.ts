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
