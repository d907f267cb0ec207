/**
 * Closes the inspector from within, at once, which works even while the event loop is blocked. Then a signal that was not noticed opens it
 * again in one of the next turns of the loop.
 */
const close = `{
  const inspector = process.getBuiltinModule('node:inspector');
  let turns = 0;
  const close = () => {
    if (inspector.url() !== undefined) inspector.close();
    if (turns++ < 5) setImmediate(close);
  };
  close();
}`;

/** Closes an inspector that a process opened by a signal of ours. */
export const closeInspector = `function (pid) {
  if (process.pid === pid) ${close}
}`;

/**
 * Starts the agent in an event loop, unless it is there or the loop was blocked until `options.until`. Each step has a turn of its own,
 * so that none stops the loop for long.
 */
export const startAgent = `function (pid, source, options) {
  if (process.pid !== pid) throw new Error('This is process ' + process.pid + ', not ' + pid + '.');
  if (options.isToClose) ${close}
  const key = Symbol.for('jig.agent');
  if (Object.hasOwn(globalThis, key)) return;
  Object.defineProperty(globalThis, key, { value: true, configurable: true });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  // A script would stay in a cache of V8 for good; what eval makes goes with the agent.
  const compile = (text) => {
    try {
      return (0, eval)(text);
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      return process.getBuiltinModule('node:vm').runInThisContext(text);
    }
  };
  const start = async () => {
    await turn();
    if (Date.now() > options.until) return;
    const agent = compile(source);
    await turn();
    const module = { exports: {} };
    agent(module, module.exports, (name) => process.getBuiltinModule(name));
    const started = await module.exports.start({ holders: options.holders, forThreads: options.code && { source, code: options.code } });
    await started.stopped;
  };
  start().catch(() => {}).finally(() => delete globalThis[key]);
}`;
