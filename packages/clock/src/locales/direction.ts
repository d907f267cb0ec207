export type Direction = 'ltr' | 'rtl';

/** The scripts written from right to left; `Intl.Locale`'s own answer is wrong for some languages written in them. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Mend', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi']);

export const directionOf = (script: string | undefined): Direction => (rightToLeft.has(script ?? '') ? 'rtl' : 'ltr');
