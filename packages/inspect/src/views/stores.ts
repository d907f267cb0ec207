import { types } from 'node:util';
import { ownProperty } from '../walk/reflection.ts';
import { can, count, has, isNamed } from './shape.ts';
import { setting, type View, type With } from './view.ts';

type Store = With<'getState', () => unknown>;

export const redux: View<Store> = {
  name: 'redux.Store',
  matches: (value): value is Store => can(value, 'dispatch', 'subscribe', 'getState', 'replaceReducer'),
  content: (store) => store.getState(),
};

export const zustand: View<Store> = {
  name: 'zustand.Store',
  matches: (value): value is Store => can(value, 'setState', 'getState', 'getInitialState', 'subscribe'),
  content: (store) => store.getState(),
};

interface Actor {
  readonly id: string;
  getSnapshot(): { readonly status: string; readonly value?: unknown; readonly context?: unknown };
  readonly observers: ReadonlySet<unknown>;
}

export const xstateActor: View<Actor> = {
  name: 'xstate.Actor',
  matches: (value): value is Actor => has(value, '_snapshot', 'mailbox', 'logic') && can(value, 'getSnapshot', 'send'),
  readings: {
    state: {
      read: (actor) => {
        const { value, status } = actor.getSnapshot();
        return value === undefined ? status : typeof value === 'string' ? value : JSON.stringify(value);
      },
    },
    status: { read: (actor) => actor.getSnapshot().status },
    observers: { read: ({ observers }) => observers.size },
    id: setting(({ id }) => id),
  },
  content: (actor) => {
    const { status, value, context } = actor.getSnapshot();
    return { status, value, context };
  },
};

interface Subject extends With<'isStopped' | 'hasError'> {
  readonly observers?: readonly unknown[] | null;
  readonly _buffer?: readonly unknown[];
}

export const rxSubject: View<Subject> = {
  name: 'rxjs.Subject',
  matches: (value): value is Subject =>
    has(value, 'observers', 'isStopped', 'hasError') && can(value, 'next', 'subscribe'),
  readings: {
    state: { read: ({ hasError, isStopped }) => (hasError ? 'failed' : isStopped ? 'completed' : 'open') },
    observers: { read: ({ observers }) => observers?.length ?? 0 },
    buffered: { read: ({ _buffer }) => count(_buffer) },
  },
};

type CronTask = With<'cronExpression' | 'name'> & With<'getStatus' | 'getNextRun', () => unknown>;

export const nodeCron: View<CronTask> = {
  name: 'node-cron.ScheduledTask',
  matches: (value): value is CronTask =>
    has(value, 'cronExpression', 'timeMatcher') && can(value, 'getStatus', 'getNextRun'),
  readings: {
    state: { read: (task) => task.getStatus() },
    next: { read: (task) => task.getNextRun() },
    pattern: setting(({ cronExpression }) => cronExpression),
    name: setting(({ name }) => name),
  },
};

type Croner = With<'name'> & With<'getPattern' | 'isRunning' | 'isBusy' | 'nextRun' | 'previousRun', () => unknown>;

export const croner: View<Croner> = {
  name: 'croner.Cron',
  matches: (value): value is Croner =>
    can(value, 'getPattern', 'nextRun', 'previousRun', 'isBusy') && has(value, '_states'),
  readings: {
    state: { read: (job) => (job.isBusy() ? 'busy' : job.isRunning() ? 'scheduled' : 'stopped') },
    next: { read: (job) => job.nextRun() },
    previous: { read: (job) => job.previousRun() },
    pattern: setting((job) => job.getPattern()),
    name: setting(({ name }) => name),
  },
};

type MobxMap = With<'data_', ReadonlyMap<unknown, With<'value_'>>>;

/** Its data are read beside the observable interface, so that no reaction is tracked. */
export const mobxMap: View<MobxMap> = {
  name: 'mobx.ObservableMap',
  matches: (value): value is MobxMap => isNamed(value, 'ObservableMap') && has(value, 'data_', 'keysAtom_'),
  readings: { entries: { read: ({ data_ }) => data_.size } },
  content: ({ data_ }) => new Map([...data_].map(([key, { value_ }]) => [key, value_])),
};

interface MobxValues {
  readonly values_: ReadonlyMap<string, { readonly value_?: unknown }>;
}

function mobxValues(value: object): MobxValues['values_'] | undefined {
  const symbol = Object.getOwnPropertySymbols(value).find(({ description }) => description === 'mobx administration');
  const property = symbol === undefined ? undefined : ownProperty(value, symbol);
  return (property?.value as Partial<MobxValues> | undefined)?.values_;
}

/** Documents run its getters, as those of any object; the line does not. */
export const mobxObject: View = {
  name: 'mobx.ObservableObject',
  matches: (value): value is object => !Array.isArray(value) && types.isMap(mobxValues(value)),
  content: (value) => Object.fromEntries([...(mobxValues(value) ?? [])].map(([name, { value_ }]) => [name, value_])),
};

type VueRef = With<'_rawValue'>;

/** `value` would be tracked, and is a proxy. */
export const vueRef: View<VueRef> = {
  name: 'vue.Ref',
  matches: (value): value is VueRef => has(value, '__v_isRef', '_rawValue', 'dep'),
  content: ({ _rawValue }) => _rawValue,
};
