import { describe, expect, it } from 'vitest';
import { exchange, request } from '../support/exchange.ts';
import { useService } from '../support/in-process.ts';
import { Visitor } from '../support/visitor.ts';

const service = useService({ JIG_CLOCK_ZONE: 'UTC' });
const visitor = (headers: Record<string, string> = {}) => new Visitor(service.url, headers);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the response of POST /clock/time', () => {
  it('is 302 to the same path, with a session cookie and no body', async () => {
    const body = 'languageTag=de-DE&zoneID=Europe%2FBerlin';
    const length = { 'content-length': `${body.length}` };
    const answer = await request(service.url, 'POST /clock/time', { ...form, ...length }, body);
    expect(answer.statusLine).toMatch(/^HTTP\/1\.1 302 /);
    expect(answer.headers.get('location')).toMatch(/^(http:\/\/[^/]+)?\/clock\/time$/);
    expect(answer.body).toBe('');
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly/);
    expect(answer.headers.get('set-cookie')).toMatch(/SameSite=Lax/);
  });

  it('is 302 for an empty form, which stores nothing and sets no cookie', async () => {
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

  it('is 302 for a body in chunks, and for a content type with a charset or in another case', async () => {
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

describe('POST /clock/time', () => {
  it('stores the choice, and the page shows it; what is not posted again stays', async () => {
    const person = visitor();
    await person.choose({ languageTag: 'ja-JP', zoneID: 'Asia/Kolkata' });
    const page = await person.page();
    expect([page.languageTag.selected, page.zoneID.selected]).toEqual([['ja-JP'], ['Asia/Kolkata']]);
    expect(page.html).toContain('>Asia/Kolkata - インド標準時<');
    await person.choose({ languageTag: 'th-TH' });
    const changed = await person.page();
    expect([changed.languageTag.selected, changed.zoneID.selected]).toEqual([['th-TH'], ['Asia/Kolkata']]);
  });

  it('sets or replaces every key, and keeps keys that are not posted', async () => {
    const person = visitor();
    await person.choose({ languageTag: 'de-DE', zoneID: 'Europe/Berlin', other: 'one' });
    await person.choose({ zoneID: 'Asia/Tokyo', more: '' });
    const attributes = { languageTag: 'de-DE', zoneID: 'Asia/Tokyo', other: 'one', more: '' };
    expect(await person.attributes()).toEqual(attributes);
    await person.page();
    expect(await person.attributes()).toEqual(attributes);
  });

  it('stores the first value of a repeated key', async () => {
    const person = visitor();
    await person.post('languageTag=fr-FR&a=1&languageTag=de-DE&a=2&languageTag=');
    expect(await person.attributes()).toEqual({ languageTag: 'fr-FR', a: '1' });
    expect((await person.page()).languageTag.selected).toEqual(['fr-FR']);
  });

  it('stores keys such as __proto__ and save like any other', async () => {
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
    const ordered = visitor();
    await ordered.post('languageTag=de&languageTag=fr&cookie=a&save=b&__proto__=c&constructor=d&id=e&x=%C3%A4');
    expect(Object.entries(await ordered.attributes())).toEqual([
      ['languageTag', 'de'],
      // Inspection masks what looks like a secret, and a cookie does.
      ['cookie', '******'],
      ['save', 'b'],
      ['__proto__', 'c'],
      ['constructor', 'd'],
      ['id', 'e'],
      ['x', 'ä'],
    ]);
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

  it('decodes form encoding, and keeps what is not valid encoding as it was sent', async () => {
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

describe('POST /clock/time refuses', () => {
  it('a body over 16 KiB with 413, announced or not', async () => {
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

  it('a form that would make a session exceed 100 attributes with 413, and stores nothing of it', async () => {
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
    const full = visitor();
    expect((await full.post(`${keys}&k99=99`)).status).toBe(302);
    expect((await full.post('k99=changed&k100=100')).status).toBe(413);
    expect(Object.keys(await full.attributes())).toHaveLength(100);
  });

  it('a form that would make a session exceed 64 KiB with 413, and stores nothing of it', async () => {
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
    const other = visitor();
    const statuses = [];
    for (let index = 0; index < 6; index++) {
      statuses.push((await other.choose({ [`k${index}`]: 'x'.repeat(15_000) })).status);
    }
    expect(statuses).toEqual([302, 302, 302, 302, 413, 413]);
  });

  it('a form of another site with 403', async () => {
    const person = visitor({ 'sec-fetch-site': 'cross-site' });
    const answer = await person.choose({ languageTag: 'de' });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });

  it('a body of another content type or encoding with 415, but not an empty one', async () => {
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
      expect([type, answer.status, answer.headers.getSetCookie()]).toEqual([type, 415, []]);
      const text = await answer.text();
      expect(text.length).toBeGreaterThan(20);
      if (type === 'text/plain') expect(text).toContain('A form must be sent as application/x-www-form-urlencoded.');
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

  it('with a message that has no stack, no path and nothing of what was sent', async () => {
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
