import type { FastifyPluginAsync } from 'fastify';
import { livenessRoute, readinessRoute } from '../http/health.ts';
import { handleNotFound } from '../http/not-found.ts';
import { apiRoute } from '../http/openapi.ts';
import { hostLinks, startPage } from '../http/start-page.ts';
import type { Feature } from '../parts/feature.ts';
import type { AddOnPackage } from '../parts/find-add-ons.ts';
import { attempt, type Part } from '../parts/part.ts';
import type { ApplicationBuilder } from './build.ts';
import type { LoadedParts } from './load-parts.ts';

/** Lets the features register, then the add-ons whose conditions are met. */
export async function registerParts(
  builder: ApplicationBuilder,
  { features, addOns, excluded }: LoadedParts,
): Promise<void> {
  const { startTimeout } = builder.context.settings;
  const register = (part: Part, feature: Feature) =>
    attempt(part, 'failed in register', () => feature.register(builder.registrationFor(part, feature)), startTimeout);
  for (const feature of features) await register({ kind: 'feature', name: feature.name }, feature);
  const reportOff = ({ name, version, beans }: AddOnPackage, because: string) => {
    builder.addOns.report({ name, version, state: 'off', because });
    builder.registry.explainMissing(beans, `the add-on ${name} is off: ${because}`);
  };
  for (const each of excluded) reportOff(each, 'excluded by the setting addOns.exclude');
  for (const { manifest, addOn } of addOns) {
    const { name, version } = manifest;
    const part: Part = { kind: 'add-on', name };
    const checkCondition = () => addOn.condition?.(builder.contextFor(addOn));
    const condition = await attempt(part, 'failed in its condition', checkCondition, startTimeout);
    if (condition?.met === false) {
      reportOff(manifest, condition.because);
      continue;
    }
    await register(part, addOn);
    builder.addOns.report({ name, version, state: 'on', because: condition?.because ?? 'included by the application' });
  }
}

/** Registers the routes of the parts, then those of the host where no part has its own. */
export async function registerRoutes(builder: ApplicationBuilder): Promise<void> {
  const { server, info, allowedMethods, api } = builder.context;
  const { name: title, description } = info;
  for (const { part, routes } of builder.parts) {
    for (const plugin of routes)
      await attempt(part, 'could not register its routes', async () => {
        await server.register(plugin);
      });
  }
  const hostRoutes: Readonly<Record<string, FastifyPluginAsync>> = {
    '/': startPage(() => ({ title, description, links: [...builder.links, ...hostLinks] })),
    '/health': readinessRoute(() => builder.healthChecks),
    '/health/live': livenessRoute,
    '/openapi.json': apiRoute(api),
  };
  for (const [path, plugin] of Object.entries(hostRoutes)) {
    const isTaken = server.hasRoute({ method: 'GET', url: path }) || (path === '/' && allowedMethods.hasFallback);
    if (!isTaken) await server.register(plugin);
  }
  handleNotFound(server, allowedMethods);
}
