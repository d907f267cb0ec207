// An application with two worker threads that share their beans.
import { createServer } from 'node:http';
import { isMainThread, threadId, Worker } from 'node:worker_threads';
import { beanInspection } from '@jig/bean-inspection';
import { shareBeans } from '@jig/bean-inspection/worker';

if (isMainThread) {
  const answer = beanInspection({ who: { thread: 0 } }, { onReady() {}, application: 'shop' });
  const workers = [1, 2].map(() => new Worker(new URL(import.meta.url)));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
  const handle = async (request, response) => {
    if (await answer(request, response)) return;
    if (request.url === '/end') await workers[0].terminate();
    response.end();
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
} else {
  shareBeans({ who: { thread: threadId }, queue: { length: threadId } }, { application: 'shop' });
  // The socket keeps no thread alive.
  setInterval(() => {}, 1000);
  const { parentPort } = await import('node:worker_threads');
  parentPort.postMessage('ready');
}
