import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { beanInspection } from '@jig/bean-inspection/fastify';
import fastify from 'fastify';
import type { Mount } from '../conformance/mount.ts';

export const fastifyMount: Mount = {
  name: 'in Fastify, after helmet, compress and CORS',
  async start(beans, options) {
    const app = fastify({ forceCloseConnections: false, logger: { level: 'error', stream: { write: () => {} } } });
    await app.register(helmet);
    await app.register(compress, { threshold: 0 });
    await app.register(cors);
    await app.register(beanInspection, { source: beans.source, ...options });
    app.get('/hello', async () => 'hello');
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    const finish = () => app.close();
    const stop = () => {
      app.server.closeAllConnections();
      return finish();
    };
    return { url, stop, finish, inspection: app };
  },
};
