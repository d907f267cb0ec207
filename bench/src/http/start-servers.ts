import type { ServerUnderTest } from './server-under-test.ts';

/** Starts one server for each, one after the other; when one fails, those that run already are stopped. */
export async function startServers<Kind>(
  kinds: readonly Kind[],
  start: (kind: Kind) => Promise<ServerUnderTest>,
): Promise<ServerUnderTest[]> {
  const servers: ServerUnderTest[] = [];
  try {
    for (const kind of kinds) servers.push(await start(kind));
    return servers;
  } catch (failure) {
    await stopServers(servers);
    throw failure;
  }
}

export async function stopServers(servers: readonly ServerUnderTest[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()));
}
