import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exchange } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { choose, cookieOf } from './clock-visitor.ts';

// BREACH and its like guess a secret in a compressed page, letter by letter, from the length of the page when it also
// shows what the attacker sent. The clock's page does show what was sent, so there must be no secret in it.

const service = useService();

const decoders = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync };

async function page(cookie: string, encoding: keyof typeof decoders): Promise<{ text: string; length: number }> {
  const { host } = new URL(service.url);
  const head = `GET /clock/time HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nCookie: ${cookie}\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
  const answer = await exchange(service.url, head);
  expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
  const body = Buffer.from(answer.body, 'latin1');
  return { text: decoders[encoding](body).toString(), length: body.length };
}

const secrets = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1).split('.');

describe.each(Object.keys(decoders) as (keyof typeof decoders)[])('a page in %s', (encoding) => {
  it('contains the sent values and no secret of the visitor', async () => {
    const sent = { languageTag: 'zz-reflected', zoneID: 'Reflected/Zone', other: 'never shown' };
    const cookie = cookieOf(await choose(service.url, sent));
    const { text } = await page(cookie, encoding);
    expect(text).toContain('zz-reflected');
    expect(text).not.toContain('never shown');
    for (const secret of secrets(cookie)) expect(text).not.toContain(secret);
  });

  it('is identical byte for byte for two visitors who sent the same form', async () => {
    const sent = { languageTag: 'zz-reflected', zoneID: 'Asia/Kolkata' };
    const [one, other] = await Promise.all([choose(service.url, sent), choose(service.url, sent)]);
    // The page tells the second, so two that were asked for at once may differ now and then.
    const isSame = async () => {
      const [first, second] = await Promise.all([page(cookieOf(one), encoding), page(cookieOf(other), encoding)]);
      return first.text === second.text && first.length === second.length;
    };
    await expect.poll(isSame).toBe(true);
  });
});

it.each(['/jig/bean/session.json', '/jig/bean/configuration.xml', '/health'])(
  'a response that contains private data is never compressed: %s',
  async (path) => {
    const { headers } = await fetch(service.url + path, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(headers.get('content-encoding')).toBeNull();
  },
);
