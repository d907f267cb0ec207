import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { beanInspection, nodePeer } from '@jig/bean-inspection/fetch';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

export const fetchMount: Mount = {
  name: 'in a server with a fetch handler',
  start(beans, options) {
    const inspect = beanInspection(beans.source, options);
    const respond = getRequestListener(async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings;
      const found = await inspect(request, nodePeer(incoming, outgoing));
      return found ?? new Response('hello', { status: new URL(request.url).pathname === '/hello' ? 200 : 404 });
    });
    return listen(
      createServer((request, response) => void respond(request, response)),
      inspect,
    );
  },
};
