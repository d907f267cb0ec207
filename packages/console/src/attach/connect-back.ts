/**
 * What the process runs by its inspector: it connects to a socket of ours, and closes the inspector at once, from within, which works even
 * while its event loop is blocked. The agent comes over the connection only after the loop has said hello.
 */
export const connectBack = (pid: number, path: string, isToClose: boolean) => `(() => {
  const [net, vm, inspector, { createRequire }] = ['net', 'vm', 'inspector', 'module'].map((name) => process.getBuiltinModule('node:' + name));
  try {
    if (process.pid !== ${pid}) throw new Error('This is process ' + process.pid + ', not ${pid}.');
    const hold = net.connect(${JSON.stringify(path)}).unref().setEncoding('utf8');
    const answer = (given) => hold.destroyed || hold.write(JSON.stringify(given) + '\\n');
    const fail = (error) => answer({ error: String(error?.stack ?? error) });
    let text = '';
    hold.on('error', () => {}).once('connect', () => hold.write('${pid}\\n')).on('data', (chunk) => {
      text += chunk;
      if (!text.endsWith('\\n')) return;
      try {
        const { file, source, options } = JSON.parse(text);
        text = '';
        const module = { exports: {} };
        const script = new vm.Script('(function (module, exports, require) {' + source + '\\n})', { filename: 'jig-agent.cjs' });
        script.runInThisContext()(module, module.exports, createRequire(file));
        module.exports.start({ ...options, hold }).then(({ socket, statistics }) => answer({ socket, statistics }), fail);
      } catch (error) {
        fail(error);
      }
    });
  } finally {
    if (${isToClose}) inspector.close();
  }
})()`;

/** Closes an inspector that the process opened by our signal when nobody waited for it any more. */
export const closeInspector = (pid: number) =>
  `if (process.pid === ${pid}) process.getBuiltinModule('node:inspector').close()`;
