import type { ServerUnderTest } from '../http/server-under-test.ts';

/** A server for each size, the smallest first, so that all can be measured in turns. */
export interface GrowingServer {
  readonly size: number;
  readonly server: ServerUnderTest;
}

/** Starts them one after the other, and stops those that run when one fails. */
export async function startGrowing(
  sizes: readonly number[],
  start: (size: number) => Promise<ServerUnderTest>,
): Promise<GrowingServer[]> {
  const servers: GrowingServer[] = [];
  try {
    for (const size of sizes) servers.push({ size, server: await start(size) });
    return servers;
  } catch (failure) {
    await stopGrowing(servers);
    throw failure;
  }
}

export async function stopGrowing(servers: readonly GrowingServer[]): Promise<void> {
  await Promise.all(servers.map(({ server }) => server.stop()));
}
