import type { BeanSource as HostBeans } from '@jig/application';
import type { FastifyRequest } from 'fastify';
import { describe, it } from 'vitest';
import { startApplication } from '../../packages/application/test-fixtures/running-application.ts';
import { hostBeanSource } from '../../packages/bean-inspection/src/host/register-inspection.ts';
import { awkwardBeans } from './awkward-beans.ts';
import { beanSourceCases } from './bean-source-cases.ts';

/** An application with beans of every kind that the host has, and requests that were sent to it. */
async function startFixture() {
  let created = 0;
  let hostBeans: HostBeans | undefined;
  const requests: FastifyRequest[] = [];
  const application = await startApplication([
    {
      name: 'test beans',
      register(host) {
        hostBeans = host.beans;
        host.define('ticker', { type: 'Clock', create: () => ({ made: ++created }) });
        host.define('repository', { type: 'Repository', create: ({ ticker }) => ({ ticker, made: ++created }) });
        host.define<'warehouse', unknown>('warehouse', { type: 'Database', create: async () => ({ open: ++created }) });
        host.define('basket', { type: 'Basket', scope: 'request', create: () => ({ made: ++created }) });
        host.define('broken', {
          type: 'Broken',
          create() {
            throw new Error('out of order');
          },
        });
        for (const [name, value] of awkwardBeans)
          host.define(name, { type: 'Value', create: () => value, start: () => {} });
        host.routes(async (server) => {
          server.get('/request', async (request) => {
            requests.push(request);
            return '';
          });
        });
      },
    },
  ]);
  for (let sent = 0; sent < 3; sent++) await fetch(`${application.url}/request`);
  if (hostBeans === undefined) throw new Error('the feature was not registered');
  return { application, beans: hostBeans, requests, created: () => created };
}

describe('the source of the host', () => {
  const suite = beanSourceCases<FastifyRequest>({
    beans: {
      lazy: 'repository',
      request: 'basket',
      async: 'warehouse',
      broken: 'broken',
      values: awkwardBeans,
      descriptions: {
        repository: { type: 'Repository', scope: 'singleton', owner: 'test beans', instantiated: false },
        basket: { type: 'Basket', scope: 'request', instantiated: false },
        session: { scope: 'session' },
      },
    },
    async create() {
      const { application, beans, requests, created } = await startFixture();
      let asked = 0;
      return {
        source: hostBeanSource(beans),
        newContext: () => requests[asked++ % requests.length] as FastifyRequest,
        created,
        release: async () => application[Symbol.asyncDispose](),
      };
    },
  });
  it.each(suite)('$name', ({ run }) => run());
});
