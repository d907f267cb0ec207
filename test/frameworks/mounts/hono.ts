import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { beanInspection } from '@jig/bean-inspection/hono';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { cors } from 'hono/cors';
import { secureHeaders } from 'hono/secure-headers';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

export const honoMount: Mount = {
  name: 'in Hono, after its secure headers, compress and CORS',
  start(beans, options) {
    const app = new Hono();
    app.use(secureHeaders(), compress({ threshold: 0 }), cors());
    const inspection = beanInspection(beans.source, options);
    app.use(inspection);
    app.get('/hello', (context) => context.text('hello'));
    const respond = getRequestListener(app.fetch);
    return listen(
      createServer((request, response) => void respond(request, response)),
      inspection,
    );
  },
};
