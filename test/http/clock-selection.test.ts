import { describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
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
  it('stores the choice, which the page shows, and keeps the field that is not posted', async () => {
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
    const keys = [
      'save',
      'id',
      'destroy',
      'size',
      '__proto__',
      'constructor',
      '',
      ' ',
      'a.b',
      'a[b]',
      'ключ',
      '\u0000',
    ];
    const person = visitor();
    const body = keys.map((key, place) => `${encodeURIComponent(key)}=${place}`).join('&');
    expect((await person.post(body)).status).toBe(302);
    const seen = new Map(Object.entries(await person.attributes()));
    expect(seen).toEqual(new Map(keys.map((key, place) => [key, `${place}`])));
    // Inspection masks what looks like a secret, and a cookie does.
    await person.post('cookie=mine&languageTag=da-DK&__proto__[polluted]=yes');
    expect((await person.attributes()).cookie).toBe('******');
    expect((await person.page()).languageTag.selected).toEqual(['da-DK']);
    expect(await visitor().attributes()).toEqual({});
  });

  it('decodes form encoding, and keeps invalid encoding as it was sent', async () => {
    const person = visitor();
    await person.post('?q=1&a=1+2&b=%2B&c=%zz&d=%&e=%C3%A9&f&g=a=b&=x&h=%F0%9F%98%80&&i=%00&j=%0D%0A');
    expect(await person.attributes()).toEqual({
      '?q': '1',
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

  it('a form that would make a session exceed 100 attributes or 64 KiB with 413, and stores nothing of it', async () => {
    const many = visitor();
    const keys = Array.from({ length: 99 }, (_, place) => `k${place}=${place}`).join('&');
    expect((await many.post(keys)).status).toBe(302);
    expect((await many.post('k1=changed&x=1&y=2')).status).toBe(413);
    const attributes = await many.attributes();
    expect([Object.keys(attributes).length, attributes.k1]).toEqual([99, '1']);
    expect((await many.post('k1=changed&x=1')).status).toBe(302);
    const large = visitor();
    const statuses = [];
    for (let index = 0; index < 5; index++)
      statuses.push((await large.choose({ [`k${index}`]: 'x'.repeat(15_000) })).status);
    expect(statuses).toEqual([302, 302, 302, 302, 413]);
    expect(Object.keys(await large.attributes())).toHaveLength(4);
  });

  it('a body of another content type or encoding with 415, but not an empty one', async () => {
    const person = visitor();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'rubbish']) {
      const answer = await person.post('languageTag=de-DE', type);
      expect([type, answer.status, answer.headers.getSetCookie()]).toEqual([type, 415, []]);
      const text = await answer.text();
      if (type === 'text/plain') expect(text).toContain('A form must be sent as application/x-www-form-urlencoded.');
    }
    expect(await person.attributes()).toEqual({});
    const statusOf = async (headers: Record<string, string>, body = '') =>
      (await request(service.url, 'POST /clock/time', headers, body)).status;
    const three = { ...form, 'content-length': '3' };
    expect(await statusOf({ ...three, 'content-encoding': 'gzip' }, 'a=1')).toBe(415);
    expect(await statusOf({ ...three, 'content-encoding': 'identity' }, 'a=1')).toBe(302);
    expect(await statusOf({ 'content-length': '3' }, 'a=1')).toBe(415);
    const json = { 'content-type': 'application/json' };
    expect(await statusOf({ ...json, 'content-length': '0' })).toBe(302);
    expect(await statusOf({ ...json, 'transfer-encoding': 'chunked' }, '0\r\n\r\n')).toBe(302);
    expect(await statusOf({ ...json, 'transfer-encoding': 'chunked' }, '1\r\n1\r\n0\r\n\r\n')).toBe(415);
  });
});
