// An application of several workers behind one port. It knows nothing of instances: `node cluster.mjs WORKERS`.
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';

if (cluster.isPrimary) {
  const workers = Number(process.argv[2]);
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === workers) console.log(`listening on http://127.0.0.1:${port}`);
  });
  for (let count = 0; count < workers; count++) cluster.fork();
} else {
  const { id } = cluster.worker;
  // As if it were started as another one, whose instance it is to be.
  const { APPLICATION: application = 'shop', SCRIPT: script = process.argv[1] } = process.env;
  process.argv[1] = script;
  const counter = { requests: 0 };
  const beans = {
    who: { pid: process.pid, host: 'db.example', limit: id === 2 ? 10 : 20, password: `pass-of-${process.pid}` },
    counter,
    big: { texts: Array.from({ length: 20_000 }, (_, index) => `text ${index} of ${process.pid}`) },
    secret: { word: 'closed' },
    ...(id === 1 ? { onlyFirst: { pid: process.pid } } : {}),
  };
  const answer = beanInspection(beans, {
    onReady() {},
    application,
    deny: ['secret'],
    token: process.env.BEAN_TOKEN,
  });
  const handle = async (request, response) => {
    counter.requests++;
    // Each request on a connection of its own, so that any worker gets it.
    response.shouldKeepAlive = false;
    if (await answer(request, response)) return;
    response.end(String(process.pid));
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
}
