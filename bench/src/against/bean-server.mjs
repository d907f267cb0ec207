// Serves one bean of 745 bytes on node:http with the @jig/bean-inspection of the checkout that the argument names.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const entry = pathToFileURL(join(process.argv[2], 'packages/bean-inspection/dist/index.js'));
const { beanInspection } = await import(entry.href);
const orders = Array.from({ length: 9 }, (_, id) => {
  return { id, country: 'de', total: 11900 + id, note: `number ${id} of today`, paid: id % 2 === 0 };
});
const inspect = beanInspection({ orders: { name: 'orders', since: 1577185199000, orders } }, { onReady() {} });
const server = createServer((request, response) => void inspect(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
