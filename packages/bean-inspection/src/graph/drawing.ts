import { escapeHtml } from '@jig/http';
import { type BeanState, stateOf } from '../browser/bean-state.ts';
import type { BeanDescription } from '../sources/bean-source.ts';
import { visibleName } from './visible-name.ts';

/** The classes of a box; the style sheet says what they look like. */
const stateClasses: Readonly<Record<BeanState, string>> = {
  created: '',
  per: '',
  'not-created': ' off',
  replaced: ' faked',
};

export const boxClasses = (bean: BeanDescription, { isLoop = false, isHere = false } = {}) =>
  `node${stateClasses[stateOf(bean)]}${isLoop ? ' loop' : ''}${isHere ? ' here' : ''}`;

/** Arrow tips; their names must differ between drawings of one page. */
export const arrowTips = (prefix: string) =>
  `<defs>${['', ' loop']
    .map(
      (kind) =>
        `<marker id="${prefix}${kind === '' ? 't' : 'l'}" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="${kind === '' ? 8 : 10}" markerHeight="${kind === '' ? 8 : 10}" orient="auto" markerUnits="userSpaceOnUse"><path class="tip${kind}" d="M0 .5 8 4 0 7.5z"/></marker>`,
    )
    .join('')}</defs>`;

export const wirePath = (path: string, isLoop: boolean, prefix: string, attributes = '') =>
  `<path class="wire${isLoop ? ' loop' : ''}"${attributes} d="${path}" marker-end="url(#${prefix}${isLoop ? 'l' : 't'})"/>`;

/** Text for an element or an attribute of XML, also where characters are not allowed in it. */
export const drawnText = (text: string) => escapeHtml(visibleName(text));

const narrow = /[ijlrtf.,:;|!'`()[\]{} /\\-]/;
const broad = /[mwMW@%]/;

/** About how many pixels a character takes at 13 pixels; a picture that is drawn on the server cannot measure. */
function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  if ((character.codePointAt(0) ?? 0) >= 0x1100) return 14;
  if (narrow.test(character)) return 4.6;
  if (broad.test(character)) return 11.5;
  return /\p{Lu}/u.test(character) ? 9 : 7.6;
}

/** A name, or as much of its beginning as fits into so many pixels. */
export function fittingName(name: string, width: number): string {
  const whole = visibleName(name);
  let left = width;
  let cut = '';
  for (const character of whole) {
    left -= characterWidth(character);
    if (left < 0) return `${cut}…`;
    // Room for the ellipsis is kept until it is known that none is needed.
    if (left >= 11) cut += character;
  }
  return whole;
}
