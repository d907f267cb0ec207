// One of the processes that PM2 starts in its cluster mode: it listens as if it were alone.
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';

const answer = beanInspection({ who: { pid: process.pid } }, { onReady() {}, application: 'shop' });
createServer((request, response) => {
  response.shouldKeepAlive = false;
  void answer(request, response).then((isAnswered) => isAnswered || response.end());
}).listen(Number(process.env.PORT), '127.0.0.1');
