import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

export const nodeMount: Mount = {
  name: 'in node:http',
  start(beans, options) {
    const inspect = beanInspection(beans.source, options);
    return listen(
      createServer((request, response) => {
        void inspect(request, response).then((isAnswered) => {
          if (isAnswered) return;
          response.statusCode = request.url === '/hello' ? 200 : 404;
          response.end('hello');
        });
      }),
      inspect,
    );
  },
};
