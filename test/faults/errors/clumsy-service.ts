import { shared } from './error-scenario.ts';

/** What somebody may write into a route, by its path. */
const mistakes = {
  depth: 'inspect({ a: [1] }, { depth: 0 }).toString()',
  part: `inspect({ a: [1] }, { at: '/a/7' }).toString()`,
  session: `(async () => request.session.set('a', 'b'.repeat(70000)))().catch((err) => {
    request.log.warn({ err }, 'could not be stored');
    throw err;
  })`,
};

/** An application whose every route makes a mistake. */
export const clumsyService = shared(async (sandbox) => {
  const routes = Object.entries(mistakes).map(
    ([path, mistake]) => `server.get('/${path}', async (request) => ${mistake});`,
  );
  const register = `const { inspect } = await import('@jig/inspect');
    host.routes(async (server) => { ${routes.join('\n')} });`;
  return sandbox.startInProcess(await sandbox.feature(register, ['@jig/inspect']));
});
