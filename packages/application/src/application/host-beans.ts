import type { Secrets } from '@jig/inspect';
import type { Configuration } from '../configuration/configuration.ts';
import { ServerBean } from '../http/server-bean.ts';
import type { ApplicationBuilder } from './build.ts';

declare module '../beans/definition.ts' {
  interface BeanTypes {
    readonly configuration: Configuration;
    readonly secrets: Secrets;
    readonly addOns: ApplicationBuilder['addOns'];
    readonly server: ServerBean;
  }
}

export const hostOwner = '@jig/application';

/** The beans that every application has. */
export function defineHostBeans({ registry, addOns, context }: ApplicationBuilder): void {
  const { configuration, secrets, server, allowedMethods } = context;
  const serverBean = new ServerBean(server, allowedMethods);
  registry.define(hostOwner, 'configuration', { type: 'Configuration', create: () => configuration });
  registry.define(hostOwner, 'secrets', { type: 'Secrets', create: () => secrets });
  registry.define(hostOwner, 'addOns', { type: 'AddOns', create: () => addOns });
  registry.define(hostOwner, 'server', { type: 'ServerBean', create: () => serverBean });
  // These objects exist already, so inspection shows them from the start.
  for (const name of ['configuration', 'secrets', 'addOns', 'server']) registry.resolve(name);
}
