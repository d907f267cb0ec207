import { isOpaque } from '../objects/built-in.ts';
import { beanProperties } from '../objects/classes.ts';
import { isMethod, ownProperty } from '../objects/reflection.ts';
import { view } from './view-table.ts';

/** Property names that are unique to Luxon, Day.js, decimal.js and big.js. */
const shapes = ['isLuxonDateTime', '$d $L $y', 's e d toDecimalPlaces', 's e c toFixed'];

/** Dates and numbers of libraries, which have a short text. */
export const value = view('value', {
  can: 'toJSON',
  is: (_object, traits) => shapes.some((names) => traits.has(...names.split(' '))),
  reads: { state: (object) => object.toJSON() },
});

const ownSymbols = (object: object) =>
  Object.getOwnPropertySymbols(object).filter((symbol) => !isMethod(ownProperty(object, symbol)?.value));

const hasOnlySymbols = (object: object) =>
  typeof object === 'object' &&
  !isOpaque(object) &&
  ownSymbols(object).length > 0 &&
  beanProperties(object).length === 0;

/** An object with symbol keys only, shown by their descriptions. */
export const symbols = view('symbols', {
  is: hasOnlySymbols,
  content: (object) =>
    Object.fromEntries(
      ownSymbols(object).map((symbol, index) => [
        symbol.description || `symbol ${index + 1}`,
        ownProperty(object, symbol)?.value as unknown,
      ]),
    ),
});
