/** The life of a supervised server. */
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

const ways: Readonly<Record<State, readonly State[]>> = {
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
  return ways[from].includes(to);
}
