// Serves a bean of which twenty values are recorded, as the argument says: `none` of them, all of the `bean`, or six of
// them of the `process`. Mounts a second after it listens, so that whoever measures from then on measures the loading too.
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { beanInspection } from '@jig/bean-inspection';

class Shop {
  numbers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`number${index}`, index]));
  orders = [1, 2, 3];
  customers = new Map([['ada', 1]]);
  isOpen = true;
  #sold = 0;
  get sold() {
    return this.#sold++;
  }
}

const main = ['cpu', 'residentMemory', 'heapUsed', 'eventLoopDelayP99', 'eventLoopUtilization', 'garbageCollection'];
const ofProcess = main.map((reading) => ({ bean: 'process', reading }));
const at = (...pointers) => pointers.map((pointer) => ({ bean: 'shop', at: pointer }));
const few = at('/orders', '/orders/length', '/customers', '/isOpen', '/sold');
const many = Array.from({ length: 10 }, (_, index) => `/numbers/number${index}`);
const all = { none: [], bean: [...few, ...few.map((each) => ({ ...each, bean: 'other' })), ...at(...many)] };
const watch = { ...all, process: [...ofProcess, ...all.bean.slice(6)] }[process.argv[2]];

let inspect;
const server = createServer((request, response) => void inspect(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
await pause(1000);
inspect = beanInspection({ shop: new Shop(), other: new Shop() }, { onReady() {}, announce: false, watch });
