import { describe, expect, it } from 'vitest';
import { isSecretKey, noSecret, secrecyOfKey, textsAndNumbersSecret, textsSecret } from './secret-key.ts';

const words = (text: string) => text.trim().split(/\s+/);

describe('a key', () => {
  it.each([
    'private key',
    ...words(`
    password DB_PASSWORD passwords userpassword passwd passphrase passWord PassWord pass_words pass-phrase
    MYSQL_PWD dbPwd jwt encryptionKey signing_key sshKeys awsAccessKey sessionSecret session-secret
    client_secret token accessToken x-auth-token TOKEN2 tokens credential credentials Authorization
    proxy-authorization setCookie set-cookie privateKey PRIVATE_KEY privatekey APIKey API_KEY x-api-key
    apikeys sdkKey basicKey licenseKey applicationKey connectionString connection_string db.password secret:1
    pass DB_PASS smtpPass userpass PGPASS PGPASSWORD pwd userPwd dbpwd passkey passKeys bearer authBearer
    sessionId session_ids SESSIONID JSESSIONID PHPSESSID sid connect.sid userOtp otp_code cardPIN accountKey
    AccountKey storage_account_key sharedKey masterKey eventKey authKey dsn SENTRY_DSN accesskey secretKey
    secretkey seedPhrase APIkey SMTPpass OTPcodes JWTs JWTSecret auth mnemonic walletMnemonic javascriptKey
    clientKey masterkey signingkey sharedkey encryptionkey sessionkey authkey hmackey sshkey recoverycodes
    backupcode seedphrase pwds creds awsCreds bindPw bind_pw rootpw pw cvc2 phrase entropy seed walletSeed
    extendedKey pem pfx p12 client.p12 session.p12 auth.id_ed25519 id_rsa id_ed25519 idRsa
    `),
  ])('%j names a secret', (key) => {
    expect(isSecretKey(key)).toBe(true);
  });

  it.each([
    '',
    ...words(`
    tokenizer monkey secretary passwordless author key keys publicKey string apiVersion connection private
    stringConnection uuid:0000 passage PWD OLDPWD passThrough keyboard keyApi compass passenger passive bypass
    passes passCount pass_rate spinner pinned pins pinCount opinion mapping shipping sideband side ssid
    accountSid messageSid adsn dsnCount robotPosition otpEnabled bearerFormat bearerAuth sessions sessionStore
    session signature salt nonce statusCode storageKey consumerKey hostKey PINs PASSenger RSAkey oauth
    basicAuth authType authors incredible cvs ssnCount default upward cookieName tokenNames jwtAlgorithm seeds
    seedData phrases pemFile mp12
    `),
  ])('%j names no secret', (key) => {
    expect(secrecyOfKey(key)).toBe(noSecret);
  });

  it.each(
    words(`
    pin userPin otp totp otpCode pinCode cvv CVC2 ssn passcode dbPassword pass_word
    `),
  )('%j names a secret that may be a number', (key) => {
    expect(secrecyOfKey(key)).toBe(textsAndNumbersSecret);
  });

  it.each(
    words(`
    prompt_tokens maxTokens tokenCount passwordResetRequests secret apiKey cookie recoveryCodes
    `),
  )('%j names a secret that is no number', (key) => {
    expect(secrecyOfKey(key)).toBe(textsSecret);
  });

  it('of more than 1,024 characters is data, and names nothing', () => {
    expect(isSecretKey(`${'a'.repeat(1_016)}Password`)).toBe(true);
    expect(isSecretKey(`${'a'.repeat(1_017)}Password`)).toBe(false);
    expect(isSecretKey(`${'a'.repeat(10_000_000)}Password`)).toBe(false);
  });
});
