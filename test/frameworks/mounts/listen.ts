import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningMount } from '../conformance/mount.ts';

/** Lets a server listen on a free port of the loopback. */
export async function listen(server: Server, inspection?: object): Promise<RunningMount> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const finish = async () => {
    server.close();
    await once(server, 'close');
  };
  const stop = () => {
    server.closeAllConnections();
    return finish();
  };
  return { url: `http://127.0.0.1:${port}`, inspection, stop, finish };
}
