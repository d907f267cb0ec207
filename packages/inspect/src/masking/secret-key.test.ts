import { describe, expect, it } from 'vitest';
import { isSecretKey } from './secret-key.ts';

describe('a secret key', () => {
  it.each([
    'password',
    'dbPassword',
    'DB_PASSWORD',
    'passwords',
    'userpassword',
    'passwd',
    'passphrase',
    'passWord',
    'PassWord',
    'pass_words',
    'pass-phrase',
    'passcode',
    'MYSQL_PWD',
    'dbPwd',
    'jwt',
    'encryptionKey',
    'signing_key',
    'sshKeys',
    'awsAccessKey',
    'secret',
    'sessionSecret',
    'session-secret',
    'client_secret',
    'token',
    'accessToken',
    'x-auth-token',
    'TOKEN2',
    'tokens',
    'credential',
    'credentials',
    'Authorization',
    'proxy-authorization',
    'cookie',
    'setCookie',
    'set-cookie',
    'privateKey',
    'PRIVATE_KEY',
    'private key',
    'privatekey',
    'apiKey',
    'APIKey',
    'API_KEY',
    'x-api-key',
    'apikeys',
    'connectionString',
    'connection_string',
    'db.password',
    'secret:1',
  ])('is %s', (key) => {
    expect(isSecretKey(key)).toBe(true);
  });

  it.each([
    'tokenizer',
    'monkey',
    'secretary',
    'passwordless',
    'author',
    'key',
    'keys',
    'publicKey',
    'string',
    'apiVersion',
    'connection',
    'private',
    'stringConnection',
    '',
    'uuid:0000',
    'passage',
    'PWD',
    'OLDPWD',
    'passThrough',
    'keyboard',
    'wordPass',
    'keyApi',
  ])('is not %s', (key) => {
    expect(isSecretKey(key)).toBe(false);
  });

  it('is found in no time, however long the key', () => {
    expect(isSecretKey(`${'a'.repeat(10_000_000)}Password`)).toBe(false);
  });
});
