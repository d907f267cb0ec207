import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { type InProcessService, startInProcess } from '../support/in-process.ts';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';
import { withoutDatabase } from '../support/start-service.ts';

const forged = '{"level":30,"msg":"forged"}';
const attacks = [
  `\n${forged}`,
  `\r\n${forged}`,
  `\u2028${forged}`,
  `\u001b[2J\u001b[31mforged`,
  `","msg":"forged`,
  '\0forged',
  '$'.concat('{jndi:ldap://forged}'),
  '%0a%0dforged',
];

/** A careless feature that logs whatever the client sends. */
const features = `[(await import('@jig/clock')).clockFeature, { name: 'careless', register(host) { host.routes(async (server) => {
  server.get('/log', async (request) => {
    host.log.info({ query: request.query, agent: request.headers['user-agent'] }, 'seen ' + request.query.text);
    throw new Error('failed at ' + request.query.text);
  });
}) } }]`;

let application: MadeApplication;
let json: InProcessService;
let pretty: InProcessService;

beforeAll(async () => {
  application = await makeApplication({ features, dependencies: ['@jig/bean-inspection', '@jig/clock'] });
  const options = { main: application.main, workingDirectory: application.folder, environment: withoutDatabase };
  json = await startInProcess({ ...options, flags: ['--log.level=trace'] });
  pretty = await startInProcess({ ...options, flags: ['--log.level=trace', '--log.format=pretty'] });
});

afterAll(async () => {
  await Promise.all([json.stop(), pretty.stop()]);
  await application.remove();
});

async function attack({ url }: InProcessService): Promise<void> {
  for (const text of attacks) {
    const encoded = encodeURIComponent(text);
    const printable = Buffer.from(text.replace(/[\r\n\0]/g, ' ')).toString('latin1');
    await fetch(`${url}/log?text=${encoded}`);
    await fetch(`${url}/${encoded}`);
    await fetch(`${url}/jig/bean/${encoded}.json?at=/${encoded}`);
    await fetch(`${url}/clock/time`, {
      method: 'POST',
      body: new URLSearchParams({ languageTag: text, [text]: text }),
    });
    await request(url, 'GET /log?text=x', { 'user-agent': printable, 'accept-language': printable, cookie: printable });
    await exchange(url, `${text}\r\n\r\n`, { quietMilliseconds: 300 });
  }
}

describe('the log', () => {
  it('in JSON has one object per line, and a client cannot add a line', async () => {
    await attack(json);
    expect(await json.stop()).toBe(true);
    const lines = json
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { msg: string; pid: number });
    expect(lines.filter(({ msg }) => msg.startsWith('seen ')).length).toBeGreaterThan(attacks.length);
    for (const { msg, pid } of lines) expect([msg === 'forged', pid]).toEqual([false, process.pid]);
    expect(json.output()).not.toContain('\u001b');
  });

  it('has no line for a successful request, hence no address, cookie or form', async () => {
    const quiet = await startInProcess({ environment: withoutDatabase, flags: ['--log.level=trace'] });
    const body = new URLSearchParams({ languageTag: 'zz-private-wish' });
    const headers = { cookie: 'jig-session=zz-private-cookie', authorization: 'Bearer zz-private-token' };
    await fetch(`${quiet.url}/clock/time?zz-private-query`, { method: 'POST', body, headers });
    await fetch(`${quiet.url}/zz-private-path`, { headers });
    await quiet.stop();
    expect(quiet.output()).not.toContain('zz-private');
  });

  it('in pretty format escapes line ends and terminal commands of a client', async () => {
    await attack(pretty);
    expect(await pretty.stop()).toBe(true);
    expect(pretty.output()).toContain('seen ');
    for (const line of pretty.output().split('\n')) expect(line.startsWith(forged)).toBe(false);
    expect(pretty.output()).not.toContain('\u001b');
  });
});
