// Serves beans on node:http: those that the argument names.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';

const sources = {
  /** A bean of about 1 KB of JSON. */
  orders() {
    const orders = Array.from({ length: 12 }, (_, id) => {
      return { id, country: 'de', total: 11900 + id, note: `order number ${id} of the day`, paid: id % 2 === 0 };
    });
    return { orders: { name: 'orders', since: 1577185199000, orders } };
  },

  /** A bean of a hundred rows, of which ten change four times a second. */
  rows() {
    const names = Array.from({ length: 100 }, (_, index) => `row${index}`);
    const rows = Object.fromEntries(names.map((name) => [name, `a value of ${name}`]));
    let count = 0;
    setInterval(() => {
      count++;
      for (let index = 0; index < 10; index++) rows[`row${index * 10}`] = `changed ${count} times`;
    }, 250);
    return { rows };
  },

  /** Ten beans with a hundred numbers each, in objects and maps, all of which are metrics. */
  counters() {
    const numbers = Array.from({ length: 50 }, (_, index) => [`number${index}`, { value: index }]);
    const bean = () => ({ inObject: Object.fromEntries(numbers), inMap: new Map(numbers) });
    return Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`counters${index}`, bean()]));
  },

  /** A Nest application of 1,000 providers in 20 modules, each with the three before it as dependencies. */
  async nest() {
    const { Inject, Injectable, Module } = await import('@nestjs/common');
    const { ModulesContainer, NestFactory } = await import('@nestjs/core');
    const { fromNest } = await import('@jig/bean-inspection/nest');
    const named = (name) => ({ [name]: class {} })[name];
    const modules = Array.from({ length: 20 }, (_, number) => {
      const providers = Array.from({ length: 50 }, (_, index) => named(`Provider${number}x${index}`));
      for (const [index, provider] of providers.entries()) {
        Injectable()(provider);
        const needed = providers.slice(Math.max(0, index - 3), index);
        for (const [at, each] of needed.entries()) Inject(each)(provider, undefined, at);
      }
      const module = named(`Module${number}`);
      Module({ providers })(module);
      return module;
    });
    const application = named('AppModule');
    Module({ imports: modules })(application);
    const context = await NestFactory.createApplicationContext(application, { logger: false });
    return fromNest(context.get(ModulesContainer));
  },
};

const pointers = ['inObject', 'inMap'].flatMap((place) =>
  Array.from({ length: 50 }, (_, index) => `/${place}/number${index}/value`),
);
const metrics = Object.fromEntries(
  Array.from({ length: 10 }, (_, bean) =>
    pointers.map((at) => [`counters${bean}${at.replaceAll('/', '.')}`, { bean: `counters${bean}`, at }]),
  ).flat(),
);
const [, , name] = process.argv;
const inspect = beanInspection(await sources[name](), {
  application: name,
  onReady() {},
  ...(name === 'counters' ? { metrics } : {}),
});
const server = createServer((request, response) => void inspect(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
