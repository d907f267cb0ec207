// In a worker thread: one of the instances of an application, and four others of its user.
import { isMainThread, parentPort } from 'node:worker_threads';
import { shareBeans } from '@jig/bean-inspection/worker';

const list = Array.from({ length: 12 }, (_, id) => {
  return { id, country: 'de', total: 11900 + id, note: `order number ${id} of the day`, paid: id % 2 === 0 };
});
/** A bean of about 1 KB of JSON. */
export const orders = { orders: { name: 'orders', since: 1577185199000, orders: list } };

export function shareOthers() {
  for (let count = 0; count < 4; count++) shareBeans(orders, { application: 'others' });
}

if (!isMainThread) {
  shareBeans(orders, { application: 'instances' });
  shareOthers();
  setInterval(() => {}, 60_000);
  parentPort.postMessage('ready');
}
