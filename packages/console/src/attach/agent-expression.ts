/**
 * Closes the inspector at once from within the process, which works even while the event loop is blocked. If a signal is still pending, it
 * opens the inspector again in one of the next turns of the loop, so it is closed in those too.
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

/** Closes an inspector that our signal has opened. */
export const closeInspector = `function (pid) {
  if (process.pid === pid) ${close}
}`;

/**
 * Starts the agent, unless it already runs or the event loop was blocked until `options.until`. Each step has its own turn of the event
 * loop, so that none blocks it for long.
 */
export const startAgent = `function (pid, source, options) {
  if (process.pid !== pid) throw new Error('This is process ' + process.pid + ', not ' + pid + '.');
  if (options.closesInspector) ${close}
  const key = Symbol.for('jig.agent');
  if (Object.hasOwn(globalThis, key)) return;
  Object.defineProperty(globalThis, key, { value: true, configurable: true });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  // V8 would cache a script forever; evaluated code is collected with the agent.
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
