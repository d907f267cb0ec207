import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './redis-address.ts';

describe('the address of Redis', () => {
  it.each([
    ['redis://localhost', 'redis://localhost:6379/0'],
    ['redis://', 'redis://localhost:6379/0'],
    ['redis://localhost/', 'redis://localhost:6379/0'],
    ['rediss://me:secret@cache.example:7000/3', 'rediss://cache.example:7000/3'],
    ['rediss://me:100%25@example.org/2', 'rediss://example.org:6379/2'],
    ['redis://[::1]:7000/1', 'redis://[::1]:7000/1'],
    ['redis://a:1,b:2,c', 'redis+cluster://a:1,b:2,c:6379/0'],
    ['redis+cluster://:secret@a', 'redis+cluster://a:6379/0'],
    ['rediss://me:secret@[fe80::1]:1,b:2/0', 'rediss+cluster://[fe80::1]:1,b:2/0'],
    ['redis+sentinel://a,b:2/mymaster', 'redis+sentinel://a:26379,b:2/mymaster/0'],
    ['rediss+sentinel://me:secret@a:1/my%20master/4?sentinelPassword=secret', 'rediss+sentinel://a:1/my%20master/4'],
  ])('%s is shown as %s, without passwords', (address, shown) => {
    expect(formatAddress(parseAddress(address))).toBe(shown);
  });

  it('returns decoded users and passwords, with those of the sentinels apart', () => {
    const address = 'redis+sentinel://me:p%40ss:word@a/m?sentinelUser=you&sentinelPassword=b%3Dc';
    expect(parseAddress(address)).toMatchObject({
      mode: 'sentinel',
      primaryName: 'm',
      credentials: { username: 'me', password: 'p@ss:word' },
      sentinelCredentials: { username: 'you', password: 'b=c' },
    });
    expect(parseAddress('redis://:secret@a').credentials).toEqual({ password: 'secret' });
    expect(parseAddress('redis://a').credentials).toEqual({});
  });

  it.each([
    ['http://secret@localhost', 'must begin with redis://'],
    ['localhost', 'must begin with redis://'],
    ['', 'must begin with redis://'],
    ['redis://localhost/secret', 'the number of a database'],
    ['redis://localhost/0/secret', 'the number of a database'],
    ['redis://me:100%@localhost', 'a % that is not an escape'],
    ['redis://100%:secret@localhost', 'a % that is not an escape'],
    ['redis://secret:@localhost:99999', 'a port'],
    ['redis://a:secret,b', 'one of its hosts is not host:port'],
    ['redis://a,b/1', 'only the database 0'],
    ['redis+sentinel://a,b', 'the name of the primary'],
    ['redis://a?password=secret', 'its only parameters are sentinelUser'],
    ['redis+sentinel://a/m?password=secret', 'its only parameters are sentinelUser'],
  ])('%s is rejected without being repeated', (address, why) => {
    const refusal = expect.objectContaining({
      code: 'JIG_REDIS_ADDRESS_INVALID',
      message: expect.stringContaining(why),
    });
    expect(() => parseAddress(address)).toThrow(refusal);
    expect(() => parseAddress(address)).not.toThrow(/secret/);
  });
});
