import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseAddress } from '../../packages/embedded-database/src/connection/address.ts';
import { temporaryServer } from '../../packages/embedded-database/test-fixtures/temporary-server.ts';
import { startInProcess } from '../support/in-process.ts';
import type { MadeApplication } from '../support/make-application.ts';
import { type RunningService, startService } from '../support/start-service.ts';
import { makeNotes, Visitor } from './database-notes.ts';

describe('an external PostgreSQL', () => {
  let application: MadeApplication;
  let address: string;
  let password: string;
  let stop: (() => Promise<void>) | undefined;
  const running: { stop(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    application = await makeNotes('@jig/embedded-database');
    const temporary = await temporaryServer();
    stop = () => temporary.stop();
    const { connection } = temporary;
    password = connection.password;
    address = databaseAddress(connection).url;
  });

  afterAll(async () => {
    await stop?.();
    await application?.remove();
  });

  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop()));
  });

  const environmentOf = () => ({
    DATABASE_URL: address,
    JIG_SESSIONS_SECRET: 'the-same-for-all-instances-of-the-service',
  });

  async function start(): Promise<RunningService> {
    const environment = environmentOf();
    const service = await startService({ main: application.main, environment });
    running.push(service);
    return service;
  }

  /** Another instance, in this process; gives its address. */
  async function startOther(): Promise<string> {
    const service = await startInProcess({ main: application.main, environment: environmentOf() });
    running.push(service);
    return service.url;
  }

  it('stores the sessions of several instances, and no process is started', async () => {
    const [one, other] = await Promise.all([start(), startOther()]);
    const { visitor } = await new Visitor(one.url).note('zoneID', 'UTC');
    const { visitor: moved } = await visitor.at(other).note('languageTag', 'de');
    expect((await moved.at(one.url).read()).notes).toEqual({ zoneID: 'UTC', languageTag: 'de' });
    expect(spawnSync('pgrep', ['-P', String(one.pid)], { encoding: 'utf8' }).stdout).toBe('');
    const health = async () => (await fetch(`${one.url}/health`)).text();
    await expect.poll(health).toContain('"database":{"ok":true');
    expect((await health()) + one.output()).not.toContain(password);
  });
});
