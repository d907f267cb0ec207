import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection/koa';
import cors from '@koa/cors';
import Koa from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

export const koaMount: Mount = {
  name: 'in Koa, after helmet, compress and CORS',
  start(beans, options) {
    const app = new Koa();
    app
      .use(helmet())
      .use(compress({ threshold: 0 }))
      .use(cors());
    const inspection = beanInspection(beans.source, options);
    app.use(inspection);
    app.use((context) => {
      if (context.path === '/hello') context.body = 'hello';
    });
    const respond = app.callback();
    return listen(
      createServer((request, response) => void respond(request, response)),
      inspection,
    );
  },
};
