import { randomBytes } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import type { BenchContext } from '../suite.ts';
import { type PlannedRequest, requestBytes, sendLoad } from './load.ts';
import { ServerUnderTest } from './server-under-test.ts';

const beansServer = new URL('beans-server.mjs', import.meta.url);
const sessionSecret = 'the bench signs the cookies of its visitors itself';

/** The service with `count` beans more than its own, named `bean0` and so on, each `bytes` of JSON long. */
export function startWithBeans(
  { count, bytes }: { readonly count: number; readonly bytes: number },
  context: BenchContext,
  nodeFlags: readonly string[] = [],
): Promise<ServerUnderTest> {
  const environment = {
    JIG_BEAN_INSPECTION_ENABLED: 'true',
    BENCH_BEANS: String(count),
    BENCH_BEAN_BYTES: String(bytes),
  };
  return ServerUnderTest.startService(context, { module: beansServer, environment, nodeFlags });
}

/** Settings of a service that accepts the cookies of `visitorCookies` and has room for all their sessions. */
export const visitorSettings = {
  JIG_SESSIONS_SECRET: sessionSecret,
  JIG_SESSIONS_MAXIMUM_IN_MEMORY: '1000000',
  JIG_SESSIONS_MAXIMUM_MEMORY: '1024',
};

/** Signed here, because 100,000 cookies take a second here and much longer when the service sets them. */
export function visitorCookies(count: number): string[] {
  const signer = new Signer(sessionSecret);
  return Array.from({ length: count }, () => `jig-session=${signer.sign(randomBytes(32).toString('base64url'))}`);
}

/** A visitor's form: German, and the given zone. */
export const selectionRequest = (cookie: string, zone: string): PlannedRequest => ({
  method: 'POST',
  path: '/clock/time',
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body: `languageTag=de-DE&zoneID=${encodeURIComponent(zone)}`,
});

/** Each visitor sends the form, which creates the session; `count` may exceed the number of visitors. */
export async function beginSessions(
  { url }: ServerUnderTest,
  cookies: readonly string[],
  count = cookies.length,
): Promise<void> {
  const requests = cookies.map((cookie) => requestBytes(selectionRequest(cookie, 'Europe/Berlin')));
  await sendLoad({ url, requests, count, connections: 64, status: 302 });
}
