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

/**
 * What the process runs by its inspector: it connects to a socket of ours, and closes the inspector. The agent comes over the connection
 * only after the event loop has said hello.
 */
export const connectBack = (pid: number, path: string, isToClose: boolean) => `(() => {
  const net = process.getBuiltinModule('node:net');
  if (process.pid !== ${pid}) throw new Error('This is process ' + process.pid + ', not ${pid}.');
  try {
    const hold = net.connect(${JSON.stringify(path)}).unref().setEncoding('utf8');
    const answer = (given) => hold.destroyed || hold.write(JSON.stringify(given) + '\\n');
    // Each step in a turn of its own, so that none stops the loop for long.
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    // A script would stay in a cache of V8 for good; what eval makes goes with the agent.
    const compile = (source) => {
      try {
        return (0, eval)(source);
      } catch (error) {
        if (!(error instanceof EvalError)) throw error;
        return process.getBuiltinModule('node:vm').runInThisContext(source);
      }
    };
    const start = async ({ source, options }) => {
      await turn();
      const agent = compile(source);
      await turn();
      const module = { exports: {} };
      agent(module, module.exports, (name) => process.getBuiltinModule(name));
      const { socket, statistics, threads, stop } = await module.exports.start({ ...options, hold });
      if (hold.destroyed) stop();
      return { socket, statistics, threads };
    };
    let text = '';
    hold.on('error', () => {}).once('connect', () => hold.write('${pid}\\n')).on('data', (chunk) => {
      text += chunk;
      if (!text.endsWith('\\n')) return;
      const request = JSON.parse(text);
      text = '';
      start(request).then(answer, (error) => answer({ error: String(error?.stack ?? error) }));
    });
  } finally {
    ${isToClose ? close : ''}
  }
})()`;

/** Closes an inspector that the process opened by a signal of ours when nobody waited for it. */
export const closeInspector = (pid: number) => `if (process.pid === ${pid}) ${close}`;
