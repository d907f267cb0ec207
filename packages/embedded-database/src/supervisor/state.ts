/** The states of a supervised server. */
export type State =
  | 'new'
  | 'preparing'
  | 'initialising'
  | 'starting'
  | 'ready'
  | 'unhealthy'
  | 'restarting'
  | 'stopping'
  | 'stopped'
  | 'failed';

const transitions: Readonly<Record<State, readonly State[]>> = {
  new: ['preparing', 'stopped'],
  preparing: ['initialising', 'starting', 'stopping', 'failed'],
  initialising: ['starting', 'stopping', 'failed'],
  starting: ['ready', 'restarting', 'stopping', 'failed'],
  ready: ['unhealthy', 'restarting', 'stopping', 'failed'],
  unhealthy: ['ready', 'restarting', 'stopping', 'failed'],
  restarting: ['starting', 'stopping', 'failed'],
  stopping: ['stopped'],
  stopped: [],
  failed: ['stopped'],
};

export function canFollow(from: State, to: State): boolean {
  return transitions[from].includes(to);
}

interface StateChange {
  readonly from: State;
  readonly to: State;
  readonly reason: string | undefined;
  readonly code: string | undefined;
}

/** The part of a logger that is used here. */
export interface StateLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const levels: Partial<Record<State, 'warn' | 'error'>> = { unhealthy: 'warn', restarting: 'warn', failed: 'error' };

const sentences: Readonly<Record<State, (title: string) => string>> = {
  new: (title) => `${title} is not started`,
  preparing: (title) => `preparing ${title}`,
  initialising: (title) => `initialising ${title}, which happens once and takes a few seconds`,
  starting: (title) => `starting ${title}`,
  ready: (title) => `${title} is ready`,
  unhealthy: (title) => `${title} does not answer`,
  restarting: (title) => `${title} is restarted`,
  stopping: (title) => `stopping ${title}`,
  stopped: (title) => `${title} has stopped`,
  failed: (title) => `${title} failed`,
};

/** Logs one line for each change: a sentence for people, and facts for programs. */
export function logChange(log: StateLog, title: string, { from, to, reason, code }: StateChange): void {
  const sentence = sentences[to](title);
  const because = reason === undefined ? '' : `${to === 'ready' ? ' ' : ': '}${reason}`;
  log[levels[to] ?? 'info']({ facts: { from, to, code } }, `${sentence}${because}`);
}
