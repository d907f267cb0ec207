import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { unwrittenBeans } from '../bean-inspection/bench-beans.ts';
import { posted } from '../http/load.ts';
import { beginSession, ServerUnderTest } from '../http/server-under-test.ts';
import { requestCost, samplesUntilWarm } from '../samples.ts';
import type { BenchContext, Case, Suite } from '../suite.ts';

const here = fileURLToPath(new URL('../../..', import.meta.url));
const [form, otherForm] = ['languageTag=de-DE&zoneID=Europe%2FBerlin', 'languageTag=ja-JP&zoneID=Asia%2FKolkata'];

/** What this checkout costs, compared with another one, both built. In development mode, as people run it. */
export function againstSuite(other: string): Suite {
  return {
    name: 'against',
    about: 'CPU time of this checkout, compared with that of another one.',
    async open(context) {
      return [...documents(other), ...(await beanRequests(other, context)), ...(await serviceRequests(other, context))];
    },
  };
}

function documents(other: string): Case[] {
  const script = fileURLToPath(new URL('document-cost.ts', import.meta.url));
  return unwrittenBeans().flatMap(({ name }, number) =>
    ['json', 'xml'].map((format) => {
      const costIn = (checkout: string) => async () => {
        const args = [...process.execArgv, script, checkout, String(number), format];
        return Number((await promisify(execFile)(process.execPath, args)).stdout);
      };
      const target = { cost: name.includes('getters') ? 3 : 2.5 };
      return { name: `${name}, ${format}`, target, warmUps: 0, ours: costIn(here), reference: costIn(other) };
    }),
  );
}

async function beanRequests(other: string, context: BenchContext): Promise<Case[]> {
  const module = new URL('bean-server.mjs', import.meta.url);
  const costIn = async (checkout: string) => {
    const server = await ServerUnderTest.start(context, { module, arguments: [checkout] });
    return requestCost(server, [{ path: '/jig/bean/orders.json' }], context);
  };
  const [ours, reference] = [await costIn(here), await costIn(other)];
  return [{ name: 'a bean over node:http', target: { cost: 1.25 }, warmUps: samplesUntilWarm, ours, reference }];
}

async function serviceRequests(other: string, context: BenchContext): Promise<Case[]> {
  const start = (checkout: string) => {
    const environment = { JIG_HOME: mkdtempSync(join(context.folder, 'home-')), NODE_ENV: '' };
    const module = pathToFileURL(join(checkout, 'service/dist/main.js'));
    return ServerUnderTest.startService(context, { module, environment });
  };
  const [ours, reference] = [await start(here), await start(other)];
  const page = (server: ServerUnderTest) => new URL('/clock/time', server.url);
  const [ourCookie, otherCookie] = [await beginSession(page(ours), form), await beginSession(page(reference), form)];
  type Cost = (server: ServerUnderTest, cookie: string) => () => Promise<number> | number;
  const row = (name: string, cost: number, costOf: Cost): Case => ({
    name: `${name} in the service`,
    target: { cost },
    warmUps: samplesUntilWarm,
    ours: costOf(ours, ourCookie),
    reference: costOf(reference, otherCookie),
  });
  const clockPage =
    (encoding: string): Cost =>
    (server, cookie) =>
      requestCost(server, [{ path: '/clock/time', headers: { cookie, 'accept-encoding': encoding } }], context);
  return [
    row('a bean', 0.8, (server) => requestCost(server, [{ path: '/jig/bean/addOns.json' }], context)),
    row('POST with a session in memory', 0.9, (server, cookie) => {
      const forms = [otherForm, form].map((each) => posted('/clock/time', each, { cookie }));
      return requestCost(server, forms, context, { status: 302 });
    }),
    row('the warm page, plain,', 2, clockPage('identity')),
    row('the warm page, gzip,', 2, clockPage('gzip')),
  ];
}
