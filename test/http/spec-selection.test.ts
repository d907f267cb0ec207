import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';
import { Visitor } from '../support/visitor.ts';

let service: RunningService;
const visitor = (headers: Record<string, string> = {}) => new Visitor(service.url, headers);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

beforeAll(async () => {
  service = await startService({ environment: { ...withoutDatabase, TZ: 'UTC' } });
});

afterAll(() => service.stop());

/** The zone's clock in the form hh:mm, by the page's own headings. */
async function hourIn(zoneID: string) {
  const person = visitor();
  await person.choose({ languageTag: 'en-GB', zoneID });
  const page = await person.page();
  return { page, clock: page.time.slice(0, 5) };
}

function utcPlus(minutes: number) {
  return [0, 20_000].map((late) => new Date(Date.now() + minutes * 60_000 - late).toISOString().slice(11, 16));
}

describe('what a form answers', () => {
  it('is 302 to the path itself with nothing in it', async () => {
    const body = 'languageTag=de-DE&zoneID=Europe%2FBerlin';
    const length = { 'content-length': `${body.length}` };
    const answer = await request(service.url, 'POST /clock/time', { ...form, ...length }, body);
    expect(answer.statusLine).toMatch(/^HTTP\/1\.1 302 /);
    expect(answer.headers.get('location')).toMatch(/^(http:\/\/[^/]+)?\/clock\/time$/);
    expect(answer.body).toBe('');
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly/);
    expect(answer.headers.get('set-cookie')).toMatch(/SameSite=Lax/);
  });

  it('is the same for an empty form, which stores nothing', async () => {
    for (const headers of [form, {}]) {
      const answer = await request(service.url, 'POST /clock/time', { ...headers, 'content-length': '0' });
      expect([answer.status, answer.headers.get('location'), answer.body]).toEqual([302, '/clock/time', '']);
      expect(answer.headers.has('set-cookie')).toBe(false);
    }
    const person = visitor();
    await person.choose({ languageTag: 'fi-FI' });
    expect((await person.post('')).status).toBe(302);
    expect(await person.attributes()).toEqual({ languageTag: 'fi-FI' });
  });

  it('is the same for a body that comes in chunks, and for one with a charset', async () => {
    const chunked = { ...form, 'transfer-encoding': 'chunked' };
    const answer = await request(service.url, 'POST /clock/time', chunked, 'b\r\nzoneID=Asia\r\n0\r\n\r\n');
    expect(answer.status).toBe(302);
    const person = visitor();
    expect((await person.post('zoneID=ROK', 'application/x-www-form-urlencoded; charset=UTF-8')).status).toBe(302);
    expect((await person.page()).zoneID.selected).toEqual(['ROK']);
    expect((await person.post('zoneID=PRC', 'Application/X-WWW-Form-Urlencoded')).status).toBe(302);
    expect((await person.page()).zoneID.selected).toEqual(['PRC']);
  });
});

describe('what a form stores', () => {
  it('is every key, set or replaced; keys that are not sent stay', async () => {
    const person = visitor();
    await person.choose({ languageTag: 'de-DE', zoneID: 'Europe/Berlin', other: 'one' });
    await person.choose({ zoneID: 'Asia/Tokyo', more: '' });
    const attributes = { languageTag: 'de-DE', zoneID: 'Asia/Tokyo', other: 'one', more: '' };
    expect(await person.attributes()).toEqual(attributes);
    await person.page();
    expect(await person.attributes()).toEqual(attributes);
  });

  it('is the first of the values of one key', async () => {
    const person = visitor();
    await person.post('languageTag=fr-FR&a=1&languageTag=de-DE&a=2&languageTag=');
    expect(await person.attributes()).toEqual({ languageTag: 'fr-FR', a: '1' });
    expect((await person.page()).languageTag.selected).toEqual(['fr-FR']);
  });

  it('is no danger to the session or to prototypes, whatever the key', async () => {
    const keys = ['save', 'id', 'destroy', 'store', 'expires', 'size', 'has', 'get', '__proto__', 'constructor'];
    keys.push(
      'toString',
      'hasOwnProperty',
      'prototype',
      '',
      ' ',
      'a.b',
      'a[b]',
      'a:b',
      '1',
      '-',
      'ключ',
      '\u0000',
      '😀',
    );
    const person = visitor();
    const body = keys.map((key, place) => `${encodeURIComponent(key)}=${place}`).join('&');
    expect((await person.post(body)).status).toBe(302);
    const seen = new Map(Object.entries(await person.attributes()));
    expect(seen).toEqual(new Map(keys.map((key, place) => [key, `${place}`])));
    expect((await person.post('cookie=mine&languageTag=da-DK&__proto__[polluted]=yes')).status).toBe(302);
    expect(Object.keys(await person.attributes())).toContain('cookie');
    expect((await person.page()).languageTag.selected).toEqual(['da-DK']);
    expect(await visitor().attributes()).toEqual({});
    const xml = await (await person.ask('/jig/bean/session.xml')).text();
    expect(xml).toContain('<__proto__>8</__proto__>');
    expect(xml).toContain('<a:b>');
  });

  it('comes back as it was sent, however it was written', async () => {
    const person = visitor();
    await person.post('a=1+2&b=%2B&c=%zz&d=%&e=%C3%A9&f&g=a=b&=x&h=%F0%9F%98%80&&i=%00&j=%0D%0A');
    expect(await person.attributes()).toEqual({
      a: '1 2',
      b: '+',
      c: '%zz',
      d: '%',
      e: 'é',
      f: '',
      g: 'a=b',
      '': 'x',
      h: '😀',
      i: '\u0000',
      j: '\r\n',
    });
    expect((await person.post('k=%ff%fe&%ff=1')).status).toBe(302);
    expect((await person.page()).alert).toBeUndefined();
  });
});

describe('what is refused', () => {
  it('is a body over 16 KiB, announced or not', async () => {
    const full = `a=${'x'.repeat(16_384 - 2)}`;
    const person = visitor();
    expect((await person.post(full)).status).toBe(302);
    const over = await person.post(`${full}x&b=1`);
    expect(over.status).toBe(413);
    expect(await over.text()).toMatch(/larger/);
    expect(Object.keys(await person.attributes())).toEqual(['a']);
    const body = `${(full.length + 1).toString(16)}\r\n${full}x\r\n0\r\n\r\n`;
    const chunked = await request(service.url, 'POST /clock/time', { ...form, 'transfer-encoding': 'chunked' }, body);
    expect(chunked.status).toBe(413);
    const announced = await request(service.url, 'POST /clock/time', { ...form, 'content-length': '99999999999' });
    expect(announced.status).toBe(413);
  });

  it('is what would make a session pass 100 attributes; nothing of it is stored', async () => {
    const person = visitor();
    const keys = Array.from({ length: 99 }, (_, place) => `k${place}=${place}`).join('&');
    expect((await person.post(keys)).status).toBe(302);
    expect((await person.post('k1=changed&x=1&y=2')).status).toBe(413);
    const attributes = await person.attributes();
    expect([Object.keys(attributes).length, attributes.k1]).toEqual([99, '1']);
    expect((await person.post('k1=changed&x=1')).status).toBe(302);
    expect((await person.post('y=2')).status).toBe(413);
    expect((await person.post('x=2')).status).toBe(302);
    expect((await visitor().post(`${keys}&a=1&b=2`)).status).toBe(413);
  });

  it('is what would make a session pass 64 KiB; nothing of it is stored', async () => {
    const person = visitor();
    for (const key of ['a', 'b', 'c', 'd'])
      expect((await person.choose({ [key]: key.repeat(16_000) })).status).toBe(302);
    expect((await person.choose({ e: 'e'.repeat(4000), a: 'short' })).status).toBe(302);
    expect((await person.choose({ f: 'f'.repeat(13_000), languageTag: 'de-DE' })).status).toBe(302);
    const refused = await person.choose({ a: 'long', g: 'g'.repeat(5000) });
    expect(refused.status).toBe(413);
    const attributes = await person.attributes();
    expect([attributes.a, Object.keys(attributes)]).toEqual(['short', ['a', 'b', 'c', 'd', 'e', 'f', 'languageTag']]);
    expect((await person.page()).languageTag.selected).toEqual(['de-DE']);
  });

  it('is a body of another type', async () => {
    const types = [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'rubbish',
      '*/*',
      'application/xml',
    ];
    const person = visitor();
    for (const type of types) {
      const answer = await person.post('languageTag=de-DE', type);
      expect([type, answer.status]).toEqual([type, 415]);
      expect((await answer.text()).length).toBeGreaterThan(20);
    }
    expect(await person.attributes()).toEqual({});
    const packed = { ...form, 'content-encoding': 'gzip', 'content-length': '3' };
    expect((await request(service.url, 'POST /clock/time', packed, 'a=1')).status).toBe(415);
    const plain = { ...packed, 'content-encoding': 'identity' };
    expect((await request(service.url, 'POST /clock/time', plain, 'a=1')).status).toBe(302);
    const nothing = [{ 'content-length': '0' }, {}, { 'transfer-encoding': 'chunked' }];
    for (const framing of nothing) {
      const end = 'transfer-encoding' in framing ? '0\r\n\r\n' : '';
      const json = { 'content-type': 'application/json', ...framing } as Record<string, string>;
      expect((await request(service.url, 'POST /clock/time', json, end)).status).toBe(302);
    }
    const inChunks = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect((await request(service.url, 'POST /clock/time', inChunks, '1\r\n1\r\n0\r\n\r\n')).status).toBe(415);
    const untyped = await request(service.url, 'POST /clock/time', { 'content-length': '3' }, 'a=1');
    expect(untyped.status).toBe(415);
  });

  it('is any other method, saying which are allowed', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await request(service.url, `${method} /clock/time`, { 'content-length': '0' });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get('allow')?.split(/, */).sort()).toEqual(['GET', 'HEAD', 'POST']);
      expect(answer.body).toContain('GET, HEAD, POST');
    }
    const head = await request(service.url, 'HEAD /clock/time');
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('is said in a sentence, without a stack, a path or the words that were sent', async () => {
    const answers = [
      await request(service.url, 'POST /clock/time', { ...form, 'content-length': '99999999' }),
      await request(service.url, 'POST /clock/time', { 'content-type': 'text/zebra', 'content-length': '1' }, 'x'),
      await exchange(service.url, 'POST /clock/time HTTP/1.1\r\nhost: a\r\ncontent-length: zebra\r\n\r\n'),
    ];
    for (const { status, raw } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(raw).not.toMatch(/zebra|node_modules|\.js:\d|\bat .*\(/);
    }
  });
});

describe('stored rubbish', () => {
  const rubbish = [
    'en_US',
    'x-private',
    'root',
    'C',
    'zh-cmn',
    'i-klingon',
    'en-',
    'xx-XX',
    'constructor',
    '__proto__',
  ];
  rubbish.push('America/nope', '+05:30', '"><script>alert(1)</script>', "' onload='x", '\u0000\u0001', '😀', '\ud800');
  rubbish.push(
    '{{languageTag}}',
    '<%= 1 %>',
    '<!-- x',
    ']]>',
    'GMT+99:99',
    'GMT+5:3:0',
    'GMT++5',
    'utc\n',
    'a'.repeat(4000),
  );

  it('never fails: the page says it in an alert, escaped and cut', async () => {
    for (const text of rubbish) {
      const person = visitor();
      await person.choose({ languageTag: text, zoneID: text });
      const page = await person.page();
      expect([text, page.languageTag.selected.length, page.zoneID.selected]).toEqual([text, 1, ['GMT']]);
      expect(page.alert).toBeDefined();
      expect(page.html).not.toContain('<script>alert');
      expect(page.html.match(/<script/g)).toHaveLength(3);
      expect(page.alert?.length).toBeLessThan(600);
      if (text.length < 30 && /^[\w/+:<>="'() -]+$/.test(text)) expect(page.alert).toContain(text);
    }
  });

  it('that is empty is still a value: the locale falls to the default, the zone to GMT', async () => {
    const person = visitor({ 'accept-language': 'fr-FR' });
    await person.choose({ languageTag: '', zoneID: '' });
    const page = await person.page();
    expect([page.languageTag.selected, page.zoneID.selected]).toEqual([['fr-FR'], ['GMT']]);
    expect(page.alert).toBeDefined();
  });

  it('is matched to the nearest locale where there is one', async () => {
    for (const [tag, nearest] of [
      ['de-XX', 'de'],
      ['DE-at', 'de-AT'],
      ['zh-Hant-XX', 'zh-Hant'],
      ['en-US-u-hc-h23', 'en-US'],
      ['iw', 'he'],
    ]) {
      const person = visitor();
      await person.choose({ languageTag: tag ?? '' });
      expect([tag, (await person.page()).languageTag.selected]).toEqual([tag, [nearest]]);
    }
  });

  it('is not what a custom zone is', async () => {
    for (const [zoneID, minutes] of [
      ['GMT+05:30', 330],
      ['GMT-3', -180],
      ['GMT+0930', 570],
      ['GMT+5:45', 345],
    ] as const) {
      const { page, clock } = await hourIn(zoneID);
      expect(utcPlus(minutes)).toContain(clock);
      expect(page.zoneID.selected).toHaveLength(1);
      expect(page.alert).toBeUndefined();
    }
    expect((await hourIn('GMT+05:30')).page.zoneID.selected).toEqual(['GMT+05:30']);
  });

  it('shows the time of GMT for a zone that nobody knows', async () => {
    const { clock } = await hourIn('Mars/Olympus');
    expect(utcPlus(0)).toContain(clock);
  });

  it('keeps the ID that was chosen, not its twin', async () => {
    for (const zoneID of [
      'Asia/Kolkata',
      'Asia/Calcutta',
      'Europe/Kyiv',
      'Europe/Kiev',
      'America/Buenos_Aires',
      'Zulu',
    ]) {
      const { page } = await hourIn(zoneID);
      expect(page.zoneID.selected).toEqual([zoneID]);
    }
  });
});

describe('a hundred people at once', () => {
  it('never see each other’s choice, and lose nothing', async () => {
    const tags = ['de-DE', 'fr-FR', 'ja-JP', 'ar-EG', 'en-GB', 'sv-SE', 'th-TH'];
    const zones = ['Asia/Tokyo', 'Europe/Paris', 'America/New_York', 'UTC', 'Asia/Kolkata'];
    const people = Array.from({ length: 100 }, (_, place) => ({ place, person: visitor() }));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        people.map(async ({ place, person }) => {
          const languageTag = tags[(place + round) % tags.length] ?? '';
          const zoneID = zones[(place * 3 + round) % zones.length] ?? '';
          await person.choose({ languageTag, zoneID, [`round${round}`]: `person ${place}` });
          const page = await person.page();
          expect([page.languageTag.selected, page.zoneID.selected]).toEqual([[languageTag], [zoneID]]);
        }),
      );
    }
    for (const { place, person } of people) {
      const mine = `person ${place}`;
      expect(await person.attributes()).toMatchObject({ round0: mine, round1: mine, round2: mine });
    }
  });

  it('who send two forms at the same moment lose neither', async () => {
    const person = visitor();
    await person.choose({ first: '1' });
    await Promise.all(Array.from({ length: 50 }, (_, place) => person.choose({ [`k${place}`]: `${place}` })));
    expect(Object.keys(await person.attributes())).toHaveLength(51);
  });
});
