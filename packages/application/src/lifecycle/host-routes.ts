import { attempt } from '../add-ons/part.ts';
import { assetRoutes } from '../assets/assets.ts';
import { apiRoute } from '../http/api-description.ts';
import { healthRoutes } from '../http/health.ts';
import { startPage } from '../http/plain-page.ts';
import type { Assembly } from './assembly.ts';
import type { Host } from './host-beans.ts';
import { hostSettings } from './host-settings.ts';

/** What an application says of itself to those who open it. */
export interface ApplicationCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly licence: string | undefined;
}

/** Registers what every application answers, then what its parts answer, as far as the beans they need are there. */
export async function registerRoutes(assembly: Assembly, host: Host, card: ApplicationCard): Promise<void> {
  const { server, configuration } = host;
  const { name: title, description, version, licence } = card;
  const apiInfo = { title, description, version, licence };
  await server.register(startPage(() => ({ title, description, links: assembly.links })));
  const healthSettings = configuration.section('health', hostSettings.health);
  await server.register(healthRoutes(() => assembly.healthChecks, healthSettings));
  await server.register(apiRoute(apiInfo, () => assembly.descriptions));
  await server.register(assetRoutes(assembly.assets));
  for (const { part, plugin, needs } of assembly.routes) {
    const missing = assembly.missing(needs);
    if (missing.length === 0) await attempt(part, 'could not register its routes', async () => server.register(plugin));
    else assembly.addOns.leaveOut(part.name, `there is no bean ${missing.join(', ')}`);
  }
}
