const then = () => {
  throw new Error('the method then of a bean was called');
};

/** Beans that sources are known to change, lose or run, by names that are awkward themselves. */
export const awkwardBeans: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['nothing', null],
  ['missing', undefined],
  ['thenable', Object.fromEntries(new Map([['then', then]]))],
  ['a/b c', { slash: true }],
  ['ä&<b>"', { markup: true }],
  ['prototype', 0],
  ['hasOwnProperty', ''],
]);
