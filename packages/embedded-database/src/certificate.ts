import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './supervisor/folders.ts';
import type { RunAs } from './supervisor/run-as.ts';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

const lifetime = 365 * 24 * 60 * 60 * 1000;

/** Writes a certificate for the loopback address that signs itself, and its key, which only the server may read. */
export async function writeCertificate(folder: string, user: RunAs | undefined): Promise<CertificateFiles> {
  const files = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  const { certificate, key } = makeCertificate();
  await makeFolder(folder);
  await writeFile(files.certificate, certificate, { mode: 0o644 });
  await writeFile(files.key, key, { mode: 0o600 });
  if (user !== undefined) await chown(files.key, user.uid, user.gid);
  return files;
}

/** X.509 (RFC 5280) in DER, since Node makes keys but no certificates. */
function makeCertificate(now = Date.now()): { readonly certificate: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('localhost')))));
  const hosts = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
    der(0x87, Buffer.from([...Array<number>(15).fill(0), 1])),
  );
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = sequence(
    sequence(objectId('551d11'), der(0x04, hosts)),
    sequence(objectId('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, isAuthority)),
  );
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    // A day ago, for clocks that differ.
    sequence(utcTime(now - lifetime / 365), utcTime(now + lifetime)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]);
  const bytes = sequence(signed, ecdsaWithSha256, der(0x03, signature));
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const utcTime = (time: number) =>
  der(0x17, Buffer.from(`${new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
