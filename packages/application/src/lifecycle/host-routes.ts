import { assetRoutes } from '../assets/asset-routes.ts';
import { apiRoute } from '../http/api-description.ts';
import { healthRoute } from '../http/health-route.ts';
import { startPage } from '../http/start-page.ts';
import type { ApplicationOptions } from './application-options.ts';
import type { Assembly } from './assembly.ts';
import type { Host } from './host-beans.ts';

/** Registers what every application answers, then what its parts answer, as far as the beans they need are there. */
export async function registerRoutes(assembly: Assembly, host: Host, options: ApplicationOptions): Promise<void> {
  const { server } = host;
  const apiInfo = { title: options.name, description: options.description, version: options.version };
  await server.register(
    startPage(() => ({ title: options.name, description: options.description, links: assembly.links })),
  );
  await server.register(healthRoute(assembly.healthChecks));
  await server.register(apiRoute(apiInfo, () => assembly.descriptions));
  await server.register(assetRoutes(assembly.assets));
  for (const { owner, plugin, needs } of assembly.routes) {
    const missing = assembly.missing(needs);
    if (missing.length === 0) await server.register(plugin);
    else assembly.addOns.leaveOut(owner, `there is no bean ${missing.join(', ')}`);
  }
}
