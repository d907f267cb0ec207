import { randomBytes } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import { sendLoad } from '../http/load.ts';
import { type PlannedRequest, requestBytes } from '../http/request-bytes.ts';
import type { ServerUnderTest } from '../http/server-under-test.ts';

const secret = 'the bench signs the cookies of its visitors itself';

/** The settings of a service that knows these visitors' cookies and has room for all their sessions. */
export const visitedEnvironment = {
  JIG_SESSIONS_SECRET: secret,
  JIG_SESSIONS_MAXIMUM_IN_MEMORY: '1000000',
  JIG_SESSIONS_MAXIMUM_MEMORY: '1024',
};

/** Cookies of so many visitors. To sign them here takes a second for a hundred thousand, to be given them by the service many. */
export function visitorCookies(count: number): string[] {
  const signer = new Signer(secret);
  return Array.from({ length: count }, () => `jig-session=${signer.sign(randomBytes(32).toString('base64url'))}`);
}

/** A visitor's form: German, and a zone. */
export const choiceOf = (cookie: string, zone: string): PlannedRequest => ({
  method: 'POST',
  path: '/clock/time',
  headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  body: `languageTag=de-DE&zoneID=${encodeURIComponent(zone)}`,
});

/** Lets each visitor choose a locale and a zone, by which the session begins; `count` may be more than the visitors. */
export async function beginSessions(
  { url }: ServerUnderTest,
  cookies: readonly string[],
  count = cookies.length,
): Promise<void> {
  const requests = cookies.map((cookie) => requestBytes(choiceOf(cookie, 'Europe/Berlin')));
  await sendLoad({ url, requests, count, connections: 64, status: 302 });
}
