// Serves beans on node:http: those that the argument names.
import 'reflect-metadata';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Worker } from 'node:worker_threads';
import { beanInspection } from '@jig/bean-inspection';
import { orders, shareOthers } from './instance-thread.mjs';

const sources = {
  orders: () => orders,

  /** The same in twenty instances, of which nineteen are worker threads, among a hundred of the user. */
  async instances() {
    shareOthers();
    const threads = Array.from({ length: 19 }, () => new Worker(new URL('instance-thread.mjs', import.meta.url)));
    await Promise.all(threads.map((thread) => once(thread, 'message')));
    return orders;
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

const metrics = Array.from({ length: 1000 }, (_, index) => {
  const [bean, place] = [`counters${index % 10}`, index < 500 ? 'inObject' : 'inMap'];
  const at = `/${place}/number${Math.floor(index / 10) % 50}/value`;
  return [bean + at.replaceAll('/', '.'), { bean, at }];
});
const [, , name] = process.argv;
const inspect = beanInspection(await sources[name](), {
  application: name,
  onReady() {},
  ...(name === 'counters' ? { metrics: Object.fromEntries(metrics) } : {}),
});
const server = createServer((request, response) => void inspect(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
