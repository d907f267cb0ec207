import { types } from 'node:util';
import { bySymbol } from './shape.ts';
import { type Live, view } from './view-table.ts';

const mobxValues = (value: object) => (bySymbol(value, 'mobx administration') as Live)?.values_;
const state = (live: Live) => live.getState();

export const stores = [
  view('redux.Store', { can: 'dispatch subscribe getState replaceReducer' }, { content: state }),
  view('zustand.Store', { can: 'setState getState getInitialState subscribe' }, { content: state }),
  view(
    'xstate.Actor',
    { has: '_snapshot mailbox logic', can: 'getSnapshot send' },
    {
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
    },
  ),
  view(
    'rxjs.Subject',
    { has: 'observers isStopped hasError', can: 'next subscribe' },
    {
      reads: {
        state: ({ hasError, isStopped }) => (hasError ? 'failed' : isStopped ? 'completed' : 'open'),
        observers: ({ observers }) => observers?.length ?? 0,
        buffered: '_buffer.length',
      },
    },
  ),
  view(
    'node-cron.ScheduledTask',
    { has: 'cronExpression timeMatcher', can: 'getStatus getNextRun' },
    {
      reads: { state: (live) => live.getStatus(), next: (live) => live.getNextRun() },
      settings: { pattern: 'cronExpression', name: 'name' },
    },
  ),
  view(
    'croner.Cron',
    { can: 'getPattern nextRun previousRun isBusy', has: '_states' },
    {
      reads: {
        state: (live) => (live.isBusy() ? 'busy' : live.isRunning() ? 'scheduled' : 'stopped'),
        next: (live) => live.nextRun(),
        previous: (live) => live.previousRun(),
      },
      settings: { pattern: (live) => live.getPattern(), name: 'name' },
    },
  ),
  // Its data are read beside the observable interface, so that no reaction is tracked.
  view(
    'mobx.ObservableMap',
    { named: 'ObservableMap', has: 'data_ keysAtom_' },
    {
      reads: { entries: 'data_.size' },
      content: ({ data_ }) => new Map([...data_].map(([key, { value_ }]: Live) => [key, value_])),
    },
  ),
  // Documents run its getters, as those of any object; the line does not.
  view('mobx.ObservableObject', (value) => !Array.isArray(value) && types.isMap(mobxValues(value)), {
    content: (live) => Object.fromEntries([...mobxValues(live)].map(([name, { value_ }]: Live) => [name, value_])),
  }),
  // `value` would be tracked, and is a proxy.
  view('vue.Ref', { has: '__v_isRef _rawValue dep' }, { content: ({ _rawValue }) => _rawValue }),
];
