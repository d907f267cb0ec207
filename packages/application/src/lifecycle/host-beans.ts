import type { Secrets } from '@jig/inspect';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Configuration } from '../configuration/configuration.ts';
import type { AllowedMethods } from '../http/allowed-methods.ts';
import { ServerBean } from '../http/server.ts';
import type { Assembly } from './assembly.ts';
import { ProcessBean } from './process-bean.ts';

/** What the host has made before the parts register. */
export interface Host {
  readonly configuration: Configuration;
  readonly secrets: Secrets;
  readonly home: string;
  readonly log: Logger;
  readonly server: FastifyInstance;
  readonly allowedMethods: AllowedMethods;
}

declare module '../beans/bean-definition.ts' {
  interface BeanTypes {
    readonly configuration: Configuration;
    readonly secrets: Secrets;
    readonly addOns: Assembly['addOns'];
    readonly messages: Assembly['messages'];
    readonly assets: Assembly['assets'];
    readonly server: ServerBean;
    readonly process: ProcessBean;
  }
}

export const hostOwner = '@jig/application';

/** The beans that every application has. */
export function defineHostBeans({ registry, addOns, messages, assets }: Assembly, host: Host): void {
  const { configuration, secrets, server, allowedMethods } = host;
  const serverBean = new ServerBean(server, allowedMethods);
  registry.define(hostOwner, 'configuration', { type: 'Configuration', create: () => configuration });
  registry.define(hostOwner, 'secrets', { type: 'Secrets', create: () => secrets });
  registry.define(hostOwner, 'addOns', { type: 'AddOns', create: () => addOns });
  registry.define(hostOwner, 'messages', { type: 'Messages', create: () => messages });
  registry.define(hostOwner, 'assets', { type: 'Assets', create: () => assets });
  registry.define(hostOwner, 'server', { type: 'ServerBean', create: () => serverBean });
  registry.define(hostOwner, 'process', {
    type: 'ProcessBean',
    create: () => new ProcessBean(),
    start: (bean) => bean.start(),
    stop: (bean) => bean.stop(),
  });
}
