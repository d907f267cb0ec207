import type { BeanDescription } from '../bean-source.ts';

/** Whether there is an instance, as the pictures show it. */
export type BeanState = 'made' | 'per' | 'off' | 'fake';

export function beanState({ scope, instantiated, replaced = false }: BeanDescription): BeanState {
  if (replaced) return 'fake';
  if (instantiated === true) return 'made';
  return scope === 'singleton' || scope === 'unknown' ? 'off' : 'per';
}

/** The same in words. */
export function stateInWords(bean: BeanDescription): string {
  const { scope, instantiated } = bean;
  const words = {
    made: 'created',
    per: `one per ${scope === 'transient' ? 'use' : scope}`,
    fake: 'replaced by a fake',
  };
  const state = beanState(bean);
  if (state !== 'off') return words[state];
  return instantiated === 'unknown' ? 'perhaps created' : 'not created yet';
}

/** U+2400 is the picture of NUL; of those above, only the space has one. */
const picture = (character: string) =>
  character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\u{fffd}';

/** A name as it can stand in any drawing: control characters become the pictures of them, lone surrogates U+FFFD. */
export const visibleName = (name: string) =>
  Buffer.from(name)
    .toString()
    .replace(/[\p{Cc}\u2028\u2029\ufffe\uffff]/gu, picture) || '(no name)';
