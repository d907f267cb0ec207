import { types } from 'node:util';
import type { BeanSource as HostBeans, Registration } from '@jig/application';
import { hasJigCode, toProblem } from '@jig/application/internal';
import { hostNameOf, isLoopback } from '@jig/http';
import type { FastifyRequest } from 'fastify';
import { addressOf, agentLine, hasConsole } from '../http/first-request.ts';
import { logError } from '../http/report-error.ts';
import { Instances } from '../instances/instances.ts';
import { createMount, type Mount } from '../mount.ts';
import { beanInspection } from '../mounts/fastify.ts';
import { openApi } from '../open-api.ts';
import { parseOptions, thresholdLine } from '../options.ts';
import type { BeanDescription, BeanSource, BeanValue } from '../sources/bean-source.ts';
import { peekValue, settleValue } from '../sources/bean-values.ts';
import type { inspectionSettings } from './settings.ts';

const optionName = (name: string) => `beanInspection.${name} in the configuration`;

/** Answers as the host does when a part of the application is temporarily down; the host logs that itself. */
function explain(cause: unknown) {
  const problem = hasJigCode(cause) ? toProblem(cause) : undefined;
  return problem?.status === 503 ? problem : undefined;
}

/** The beans of the host, as bean inspection sees them. */
export function hostBeanSource(beans: HostBeans): BeanSource<FastifyRequest> {
  const peek = (name: string): BeanValue | undefined => {
    const value = beans.peek(name);
    return value === undefined && beans.describe(name)?.instantiated !== true ? undefined : peekValue(value);
  };
  const describe = (name: string): readonly BeanDescription[] => {
    const description = beans.describe(name);
    if (description === undefined) return [];
    const isUnknown = types.isPromise(beans.peek(name)) && peek(name) === undefined;
    return [isUnknown ? { ...description, instantiated: 'unknown' } : description];
  };
  return {
    describe: () => beans.names().flatMap(describe),
    has: (name) => beans.describe(name) !== undefined,
    peek,
    async get(name, request) {
      const created = beans.get(name, request);
      const singleton = beans.peek(name);
      if (singleton === undefined && peek(name) === undefined) return { value: await created };
      // Awaiting `created` would read `then` of the singleton, which may be a trap, so what the registry holds is shown.
      created.catch(() => undefined);
      return settleValue(singleton);
    },
  };
}

/** Gives access to the mount but hides it: inspecting this bean must not start recording or streams. */
export class BeanController {
  readonly #mount: Mount;

  constructor(mount: Mount) {
    this.#mount = mount;
  }

  /** Without the mount, which knows all beans. */
  toJSON(): object {
    const { privateFields, getters, depth, limit } = this.#mount.options;
    return { privateFields, getters, depth, limit };
  }

  static mountOf(bean: BeanController): Mount {
    return bean.#mount;
  }
}

/** Registers the add-on. */
export function registerInspection(host: Registration<typeof inspectionSettings, 'beanController'>): void {
  const { mcp, announce, token, watch } = host.settings;
  const { application } = host;
  const onError = (error: unknown, message: string) =>
    logError((err) => host.log[explain(err) === undefined ? 'error' : 'debug']({ err }, message), error);
  host.define('beanController', {
    type: 'BeanController',
    needs: ['secrets'],
    create({ secrets }) {
      const options = parseOptions({ ...host.settings, application, views: host.views });
      const mount = createMount(hostBeanSource(host.beans), options, {
        instances: new Instances(options),
        secrets,
        startPage: '/',
        optionName,
        explain,
        onThreshold: (event) => host.log.warn(thresholdLine(event)),
        // A bean may be missing because an add-on is off.
        health: async (request) => ({
          ...(await host.readHealth(request as FastifyRequest)),
          addOns: await host.beans.get('addOns'),
        }),
        onError,
      });
      return new BeanController(mount);
    },
  });
  host.link({
    title: 'Beans',
    path: '/jig/bean',
    description: 'The live components, as JSON or XML.',
    opensAt: (address) => host.settings.token !== undefined || isLoopback(hostNameOf(address)),
  });
  const schemas = openApi(host.settings);
  host.routes(async (server, { beanController }) => {
    // The host logs the address when it listens.
    const onReady = () => {};
    const mount = BeanController.mountOf(beanController);
    await server.register(beanInspection, {
      mount,
      handle: beanController,
      schemas,
      enabled: true,
      announce,
      watch,
      token,
      onReady,
      onError,
    });
    if (!mcp || host.environment !== 'development') return;
    server.addHook('onListen', async () => {
      const [address] = server.addresses();
      const options = { hasToken: token !== undefined, isInConsole: announce !== false && hasConsole(process.cwd()) };
      if (typeof address !== 'object') return;
      const peer = { localAddress: address.address, localPort: address.port };
      host.log.info(agentLine(addressOf(peer, '/jig/mcp'), options));
    });
  });
}
