import type { AddressInfo } from 'node:net';
import { defineAddOn } from '@jig/application';
import { hostNameOf, isLoopback } from '@jig/http';
import type { FastifyRequest } from 'fastify';
import { BeanController } from './bean-controller.ts';
import { agentLine } from './first-request.ts';
import { beanApi } from './host/api-description.ts';
import { beanRoutes, hostBeanSource } from './host/bean-routes.ts';
import { graphAndCompareApi } from './host/graph-and-compare-api.ts';
import { mcpApi } from './host/mcp-api.ts';
import { logError } from './report-error.ts';
import { inspectionSettings } from './settings.ts';

declare module '@jig/application' {
  interface BeanTypes {
    readonly beanController: BeanController<FastifyRequest>;
  }
}

const optionName = (name: string) => `beanInspection.${name} in the configuration`;

/** Where an agent on this machine finds the endpoint. */
function mcpAddress({ address, port }: AddressInfo): string {
  const isHere = isLoopback(address) || address === '0.0.0.0' || address === '::';
  const host = isHere ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}/jig/mcp`;
}

export default defineAddOn({
  name: '@jig/bean-inspection',
  section: 'beanInspection',
  settings: inspectionSettings,
  needs: ['beanController'],

  condition({ settings: { enabled }, environment }) {
    if (enabled === false) return { met: false, because: 'beanInspection.enabled is false' };
    if (enabled === true) return { met: true, because: 'beanInspection.enabled is true' };
    return environment === 'production'
      ? { met: false, because: 'NODE_ENV is production and beanInspection.enabled is not true' }
      : { met: true, because: `NODE_ENV is ${environment}` };
  },

  register(host) {
    const { mcp, mcpCharacters } = host.settings;
    host.define('beanController', {
      type: 'BeanController',
      needs: ['secrets'],
      create: ({ secrets }) =>
        new BeanController(hostBeanSource(host.beans), secrets, {
          ...host.settings,
          startPage: '/',
          application: host.application,
          optionName,
          agents: {
            mcp,
            mcpCharacters,
            // Which add-ons are off, and why, is what somebody wants to know who misses a bean.
            health: async (request) => ({
              ...(await host.readHealth(request)),
              addOns: await host.beans.get('addOns'),
            }),
            onError: (error, message) => logError((err) => host.log.error({ err }, message), error),
          },
        }),
    });
    host.link({
      title: 'Beans',
      path: '/jig/bean',
      description: 'The live components, as JSON or XML.',
      opensAt: (address) => host.settings.token !== undefined || isLoopback(hostNameOf(address)),
    });
    const api = {
      ...beanApi(host.settings),
      ...graphAndCompareApi(host.settings),
      ...(mcp ? mcpApi(host.settings) : {}),
    };
    host.routes(async (server, { beanController }) => {
      await server.register(beanRoutes(beanController, api));
      if (!mcp || host.environment !== 'development') return;
      server.addHook('onListen', async () => {
        const [address] = server.addresses();
        if (typeof address === 'object')
          host.log.info(agentLine(mcpAddress(address), host.settings.token !== undefined));
      });
    });
  },
});
