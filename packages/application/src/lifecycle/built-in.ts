import type { Secrets } from '@jig/inspect';
import type { FastifyPluginAsync } from 'fastify';
import { assetRoutes } from '../assets/assets.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { livenessRoute, readinessRoute } from '../http/health.ts';
import { apiRoute } from '../http/openapi-document.ts';
import { ServerBean } from '../http/server.ts';
import { hostLinks, startPage } from '../http/start-page.ts';
import type { ApplicationBuilder } from './application-builder.ts';
import { hostSettings } from './host-settings.ts';

declare module '../beans/bean-definition.ts' {
  interface BeanTypes {
    readonly configuration: Configuration;
    readonly secrets: Secrets;
    readonly addOns: ApplicationBuilder['addOns'];
    readonly messages: ApplicationBuilder['messages'];
    readonly assets: ApplicationBuilder['assets'];
    readonly server: ServerBean;
  }
}

export const hostOwner = '@jig/application';

/** The beans that every application has. */
export function defineHostBeans({ registry, addOns, messages, assets, context }: ApplicationBuilder): void {
  const { configuration, secrets, server, allowedMethods } = context;
  const serverBean = new ServerBean(server, allowedMethods);
  registry.define(hostOwner, 'configuration', { type: 'Configuration', create: () => configuration });
  registry.define(hostOwner, 'secrets', { type: 'Secrets', create: () => secrets });
  registry.define(hostOwner, 'addOns', { type: 'AddOns', create: () => addOns });
  registry.define(hostOwner, 'messages', { type: 'Messages', create: () => messages });
  registry.define(hostOwner, 'assets', { type: 'Assets', create: () => assets });
  registry.define(hostOwner, 'server', { type: 'ServerBean', create: () => serverBean });
}

/** Registers the routes of the parts whose needed beans are there, then those of the host where no part has its own. */
export async function registerRoutes(builder: ApplicationBuilder): Promise<void> {
  const { server, configuration, info, allowedMethods, noRoute, partRoutes, routeSchemas } = builder.context;
  const { name: title, description, version, licence } = info;
  const health = configuration.section('health', hostSettings.health);
  await server.register(assetRoutes(builder.assets));
  for (const { part, routes } of builder.present) {
    for (const plugin of routes) await partRoutes.register(part, plugin);
  }
  const hostRoutes: Readonly<Record<string, FastifyPluginAsync>> = {
    '/': startPage(() => ({ title, description, links: [...builder.links, ...hostLinks(health.path)] })),
    [health.path]: readinessRoute(() => builder.healthChecks, health),
    [`${health.path}/live`]: livenessRoute(health),
    '/openapi.json': apiRoute({ title, description, version, licence }, routeSchemas),
  };
  for (const [path, plugin] of Object.entries(hostRoutes)) {
    const isTaken = server.hasRoute({ method: 'GET', url: path }) || (path === '/' && allowedMethods.hasFallback);
    if (!isTaken) await server.register(plugin);
  }
  noRoute.handleOn(server);
}
