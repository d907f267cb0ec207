import { types } from 'node:util';
import { bySymbol } from './shape.ts';
import { type Live, view } from './view-table.ts';

const mobxValues = (value: object) => (bySymbol(value, 'mobx administration') as Live)?.values_;
const state = (live: Live) => live.getState();
const queriesOf = (live: Live): readonly Live[] => live.getQueryCache().getAll();

/** `content` is for lines in lists, which run no getters; documents run its getters as for any object. */
export const observableObject = view('mobx.ObservableObject', {
  is: (value) => !Array.isArray(value) && types.isMap(mobxValues(value)),
  content: (live) => Object.fromEntries([...mobxValues(live)].map(([name, { value_ }]: Live) => [name, value_])),
});

export const stores = [
  view('redux.Store', { can: 'dispatch subscribe getState replaceReducer', content: state }),
  view('zustand.Store', { can: 'setState getState getInitialState subscribe', content: state }),
  view('xstate.Actor', {
    has: '_snapshot mailbox logic',
    can: 'getSnapshot send',
    reads: {
      state: (live) => {
        const { value, status } = live.getSnapshot();
        return value === undefined ? status : typeof value === 'string' ? value : JSON.stringify(value);
      },
      status: (live) => live.getSnapshot().status,
      observers: 'observers.size',
    },
    settings: { id: 'id' },
    content: (live) => {
      const { status, value, context } = live.getSnapshot();
      return { status, value, context };
    },
  }),
  view('rxjs.Subject', {
    has: 'observers isStopped hasError',
    can: 'next subscribe',
    reads: {
      state: ({ hasError, isStopped }) => (hasError ? 'failed' : isStopped ? 'completed' : 'open'),
      observers: ({ observers }) => observers?.length ?? 0,
      buffered: '_buffer.length',
    },
  }),
  view('tanstack.QueryClient', {
    can: 'getQueryCache getMutationCache fetchQuery',
    reads: {
      queries: (live) =>
        queriesOf(live).map((query: Live) => ({
          key: query.queryHash,
          status: query.state.status,
          fetching: query.state.fetchStatus,
          observers: query.getObserversCount(),
        })),
      mutations: (live) => live.getMutationCache().getAll().length,
    },
    content: (live) => new Map(queriesOf(live).map(({ queryHash, state }: Live) => [queryHash, state.data])),
  }),
  // Its data are read without its observable interface, so that no reaction is tracked.
  view('mobx.ObservableMap', {
    named: 'ObservableMap',
    has: 'data_ keysAtom_',
    reads: { entries: 'data_.size' },
    content: ({ data_ }) => new Map([...data_].map(([key, { value_ }]: Live) => [key, value_])),
  }),
  observableObject,
  // `value` would be tracked, and is a proxy.
  view('vue.Ref', { has: '__v_isRef _rawValue dep', content: ({ _rawValue }) => _rawValue }),
];
