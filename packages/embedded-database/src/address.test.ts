import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

describe('the address of a database', () => {
  it('names where and who', () => {
    expect(parseAddress('postgres://me:p%40ss@db.example:6000/shop?sslmode=verify-full')).toEqual({
      dialect: 'postgresql',
      host: 'db.example',
      port: 6000,
      user: 'me',
      password: 'p@ss',
      database: 'shop',
      tls: { rejectUnauthorized: true },
    });
    expect(parseAddress('mariadb://me@[::1]')).toMatchObject({
      dialect: 'mysql',
      host: '::1',
      database: 'me',
      password: '',
    });
    expect(parseAddress('postgresql://localhost/jig?host=/run/pg&user=jig')).toMatchObject({
      socket: '/run/pg',
      user: 'jig',
    });
    expect(parseAddress('mysql://me@localhost/shop?socket=/run/my.sock&sslmode=no-verify')).toMatchObject({
      socket: '/run/my.sock',
      tls: { rejectUnauthorized: false },
    });
  });

  it('is shown without the password, in a form that can be used again', () => {
    for (const address of ['postgres://me:secret@db:1234/shop', 'mysql://me:secret@x/shop?socket=/run/my.sock']) {
      const shown = formatAddress(parseAddress(address));
      expect(shown).not.toContain('secret');
      const { password: _, ...rest } = parseAddress(address);
      expect(parseAddress(shown)).toMatchObject(rest);
    }
  });

  it.each([
    'secret',
    'http://me:secret@localhost',
    'postgres://localhost/secret',
    'postgres://me:%secret@localhost',
    'postgres://me:secret@localhost/x?sslmode=perhaps',
  ])('is refused without being repeated: %s', (address) => {
    expect(() => parseAddress(address)).toThrow(/DATABASE_URL cannot be used/);
    expect(() => parseAddress(address)).not.toThrow(/secret/);
  });
});
