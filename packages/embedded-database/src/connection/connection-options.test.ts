import { describe, expect, it } from 'vitest';
import { formatAddress, parseAddress } from './connection-options.ts';

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

  it('names several hosts of PostgreSQL, which of them is meant, and a pooler', () => {
    const address = 'postgres://me:secret@a:1,[::1],c:3/shop?target_session_attrs=read-write&pgbouncer=true';
    const connection = parseAddress(address);
    expect(connection).toMatchObject({
      host: 'a',
      port: 1,
      otherHosts: [{ host: '::1' }, { host: 'c', port: 3 }],
      target: 'read-write',
      isPooled: true,
    });
    expect(formatAddress(connection)).toBe('postgresql://a:1,::1,c:3/shop?user=me');
    expect(() => parseAddress('mysql://me@a,b')).toThrow(/only an address of PostgreSQL/);
    expect(() => parseAddress('postgres://me@a,b:secret')).toThrow(/no host:port/);
    expect(() => parseAddress('postgres://me@a?target_session_attrs=standby')).toThrow(/any, read-write or primary/);
  });

  it('takes what it does not say from the variables of libpq, as tools of PostgreSQL do', () => {
    const variables = {
      PGHOST: '/run/pg',
      PGPORT: '6000',
      PGUSER: 'me',
      PGPASSWORD: 'secret',
      PGDATABASE: 'shop',
      PGOPTIONS: '-c search_path=mine',
      PGSSLMODE: 'require',
    };
    const { PGHOST: _, ...others } = variables;
    expect(parseAddress('postgres://', variables)).toEqual({
      dialect: 'postgresql',
      socket: '/run/pg',
      port: 6000,
      user: 'me',
      password: 'secret',
      database: 'shop',
      options: '-c search_path=mine',
      tls: { rejectUnauthorized: true },
    });
    expect(parseAddress('postgres:///', others)).toMatchObject({ host: 'localhost', port: 6000, user: 'me' });
    const said = 'postgres://you:word@db:1/yours?options=-c%20a%3Db&sslmode=disable';
    expect(parseAddress(said, variables)).toEqual({
      dialect: 'postgresql',
      host: 'db',
      port: 1,
      user: 'you',
      password: 'word',
      database: 'yours',
      options: '-c a=b',
    });
    expect(parseAddress('mysql://you@db', variables)).toEqual({
      dialect: 'mysql',
      host: 'db',
      user: 'you',
      password: '',
      database: 'you',
    });
    expect(() => parseAddress('postgres://you@db', { PGSSLMODE: 'perhaps' })).toThrow(/sslmode \(or PGSSLMODE\)/);
    expect(() => parseAddress('postgres://you@db', { PGPORT: 'perhaps' })).toThrow(/port \(or PGPORT\)/);
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
