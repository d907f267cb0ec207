import type { BeanDescription } from '../sources/bean-source.ts';
import { type Html, html } from './html.ts';

/** The states of beans, in the order in which the list sorts them. */
export const beanStates = {
  created: 'Created',
  'not-created': 'Not created yet',
  per: 'Per request or session',
  replaced: 'Replaced by a fake',
} as const;

export type BeanState = keyof typeof beanStates;

type Described = Pick<BeanDescription, 'scope' | 'instantiated' | 'replaced'>;

export function stateOf({ scope, instantiated, replaced }: Described): BeanState {
  if (replaced === true) return 'replaced';
  if (scope === 'request' || scope === 'session' || scope === 'transient') return 'per';
  return instantiated === true ? 'created' : 'not-created';
}

const scopeWords: Readonly<Record<string, string>> = {
  request: 'One per request',
  session: 'One per session',
  transient: 'One for each use',
};
const stateClasses = { created: ' made', 'not-created': '', per: ' per', replaced: ' fake' } as const;

/** The state of a bean in words; the style sheet puts a mark before it. */
export function stateMark(bean: Described): Html {
  const state = stateOf(bean);
  return html`<span class="state${stateClasses[state]}">${stateWords(bean, state)}</span>`;
}

export function stateWords({ scope, instantiated }: Described, state: BeanState): string {
  if (state === 'per') return scopeWords[scope] ?? '';
  if (state === 'not-created' && instantiated === 'unknown') return 'Perhaps created';
  return beanStates[state];
}
