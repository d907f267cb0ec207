import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';

describe('the address of a database', () => {
  it('has host, port, database, user and password', () => {
    expect(parseAddress('postgres://me:p%40ss@db.example:6000/shop?sslmode=verify-full')).toEqual({
      host: 'db.example',
      port: 6000,
      user: 'me',
      password: 'p@ss',
      database: 'shop',
      tls: { rejectUnauthorized: true },
    });
    expect(parseAddress('postgres://me@[::1]')).toMatchObject({ host: '::1', database: 'me', password: '' });
    expect(parseAddress('postgresql://localhost/jig?host=/run/pg&user=jig')).toMatchObject({
      host: '/run/pg',
      user: 'jig',
    });
  });

  it('takes missing parts from the PG variables, as libpq does', () => {
    const variables = {
      PGHOST: '/run/pg',
      PGPORT: '6000',
      PGUSER: 'me',
      PGPASSWORD: 'secret',
      PGDATABASE: 'shop',
      PGSSLMODE: 'require',
    };
    const { PGHOST: _, ...others } = variables;
    expect(parseAddress('postgres://', variables)).toEqual({
      host: '/run/pg',
      port: 6000,
      user: 'me',
      password: 'secret',
      database: 'shop',
      tls: { rejectUnauthorized: true },
    });
    expect(parseAddress('postgres:///', others)).toMatchObject({ host: 'localhost', port: 6000, user: 'me' });
    const said = 'postgres://you:word@db:1/yours?sslmode=disable';
    expect(parseAddress(said, variables)).toEqual({
      host: 'db',
      port: 1,
      user: 'you',
      password: 'word',
      database: 'yours',
    });
    expect(() => parseAddress('postgres://you@db', { PGSSLMODE: 'perhaps' })).toThrow(/sslmode \(or PGSSLMODE\)/);
  });

  it('is shown without the password, as a valid URL', () => {
    for (const address of ['postgres://me:secret@db:1234/shop', 'postgres://me:secret@x/shop?host=/run/pg']) {
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
  ])('is rejected without being repeated: %s', (address) => {
    expect(() => parseAddress(address)).toThrow(/DATABASE_URL cannot be used/);
    expect(() => parseAddress(address)).not.toThrow(/secret/);
  });
});
