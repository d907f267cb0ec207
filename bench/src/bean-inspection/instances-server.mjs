// Twenty instances of an application, of which nineteen are worker threads, among a hundred of its user.
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { beanInspection } from '@jig/bean-inspection';
import { shareBeans } from '@jig/bean-inspection/worker';

/** A bean of about 1 KB of JSON. */
const orders = Array.from({ length: 12 }, (_, id) => {
  return { id, country: 'de', total: 11900 + id, note: `order number ${id} of the day`, paid: id % 2 === 0 };
});
const source = { orders: { name: 'orders', since: 1577185199000, orders } };
const shareOthers = () => {
  for (let count = 0; count < 4; count++) shareBeans(source, { application: 'others' });
};

if (isMainThread) {
  const answer = beanInspection(source, { application: 'instances', onReady() {} });
  shareOthers();
  const threads = Array.from({ length: 19 }, () => new Worker(new URL(import.meta.url)));
  await Promise.all(threads.map((thread) => new Promise((resolve) => thread.once('message', resolve))));
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
} else {
  shareBeans(source, { application: 'instances' });
  shareOthers();
  setInterval(() => {}, 60_000);
  parentPort.postMessage('ready');
}
