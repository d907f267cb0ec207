import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfigurationFile } from './file.ts';
import { loadConfiguration } from './load.ts';
import { boolean, choice, duration, integer, list, record, string } from './setting.ts';

const schema = {
  server: {
    host: string({ default: '127.0.0.1', environment: 'HOST', flag: 'host', description: 'The address.' }),
    port: integer({
      default: 8080,
      minimum: 0,
      maximum: 65_535,
      environment: 'PORT',
      flag: 'port',
      description: 'The port.',
    }),
    idleTimeout: duration({ default: 5000, description: 'Idle.' }),
    quiet: boolean({ default: false, description: 'Quiet.' }),
  },
  log: { level: choice(['info', 'warn'], { default: 'info', description: 'Level.' }) },
  addOns: { exclude: list({ default: [], description: 'Left out.' }) },
  database: {
    password: string({ default: undefined, secret: true, description: 'Secret.' }),
    oldPasswords: list({ default: [], secret: true, description: 'Secrets.' }),
    address: string({ default: undefined, secret: 'address', description: 'Where it is.' }),
    parameters: record({ default: {}, description: 'Extra.' }),
  },
} as const;

/** A file with these values, by section and key. */
const fileOf = (values: object) => {
  const origin = 'jig.config.json';
  const given = Object.entries(values).map(([key, value]) => ({ key, value, origin }));
  return given;
};

const load = (sources: { file?: object; environment?: NodeJS.ProcessEnv; flags?: string[] }) => {
  const file = fileOf(sources.file ?? {});
  return loadConfiguration(schema, { file, environment: sources.environment ?? {}, flags: sources.flags ?? [] });
};

const originOf = (key: string, sources: Parameters<typeof load>[0]) =>
  [...load(sources).entries()].find((entry) => entry.key === key);

describe('loadConfiguration', () => {
  it('uses the defaults when nothing else is set', () => {
    expect(load({}).section('server', schema.server)).toEqual({
      host: '127.0.0.1',
      port: 8080,
      idleTimeout: 5000,
      quiet: false,
    });
    expect(originOf('server.port', {})).toMatchObject({ value: 8080, origin: 'default' });
  });

  it('prefers flags to the environment, the environment to the file, and the file to the default', () => {
    const file = { 'server.port': 1 };
    const environment = { PORT: '2' };
    const flags = ['--port', '3'];
    expect(originOf('server.port', { file })).toMatchObject({ value: 1, origin: 'jig.config.json' });
    expect(originOf('server.port', { file, environment })).toMatchObject({
      value: 2,
      origin: 'environment variable PORT',
    });
    expect(originOf('server.port', { file, environment, flags })).toMatchObject({ value: 3, origin: 'flag --port' });
  });

  it.each([
    [['--server.port=9000'], 9000],
    [['--server.port', '9000'], 9000],
    [['--port=9000'], 9000],
    [['--port=1', '--server.port=9000'], 9000],
  ])('reads the flags %j', (flags, port) => {
    expect(load({ flags }).section('server', schema.server).port).toBe(port);
  });

  it('reads a flag without a value as true', () => {
    expect(load({ flags: ['--server.quiet', '--port=1'] }).section('server', schema.server).quiet).toBe(true);
    expect(load({ flags: ['--server.quiet=no'] }).section('server', schema.server).quiet).toBe(false);
  });

  it('derives the variable of a setting that names none, and treats an empty variable as not set', () => {
    const environment = { JIG_SERVER_IDLE_TIMEOUT: '2m', JIG_ADD_ONS_EXCLUDE: 'a, b,', PORT: '' };
    const configuration = load({ environment });
    expect(configuration.section('server', schema.server)).toMatchObject({ idleTimeout: 120_000, port: 8080 });
    expect(configuration.section('addOns', schema.addOns).exclude).toEqual(['a', 'b']);
  });

  it('reads records from JSON and from text', () => {
    const read = (sources: Parameters<typeof load>[0]) => load(sources).section('database', schema.database).parameters;
    expect(read({ file: { 'database.parameters': { work_mem: '4MB', fsync: true } } })).toEqual({
      work_mem: '4MB',
      fsync: 'true',
    });
    expect(read({ environment: { JIG_DATABASE_PARAMETERS: 'a=1, b=2' } })).toEqual({ a: '1', b: '2' });
  });

  it.each([
    [
      { environment: { PORT: 'abc' } },
      'Setting server.port got "abc" (environment variable PORT); expected an integer from 0 to 65535.',
    ],
    [
      { file: { 'server.port': 70_000 } },
      'Setting server.port got 70000 (jig.config.json); expected an integer from 0 to 65535.',
    ],
    [
      { flags: ['--server.port=x', '--port=8080'] },
      'Setting server.port got "x" (flag --server.port); expected an integer from 0 to 65535.',
    ],
    [{ flags: ['--port'] }, 'Setting server.port got nothing (flag --port); expected an integer from 0 to 65535.'],
    [{ file: { 'server.idleTimeout': ['30s'] } }, /^Setting server.idleTimeout got \["30s"\] \(jig.config.json\)/],
    [{ file: { 'log.level': 'loud' } }, 'Setting log.level got "loud" (jig.config.json); expected one of info, warn.'],
    [{ file: { 'server.prot': 1 } }, 'Unknown setting "server.prot" (jig.config.json); --help lists the settings.'],
    [{ file: { __proto__: null, 'constructor.name': 1 } }, /^Unknown setting "constructor.name"/],
    [{ flags: ['8080'] }, /word too many/],
  ])('refuses %j with one sentence', (sources, sentence) => {
    expect(() => load(sources)).toThrow(sentence);
  });

  it('shows a secret neither in an error nor in the bean configuration', () => {
    expect(() => load({ file: { 'database.password': ['hunter2'] } })).toThrow(/got a value that is not shown here/);
    const configuration = load({ file: { 'database.password': 'hunter2' } });
    expect(JSON.stringify(configuration.settings)).not.toContain('hunter2');
    expect(configuration.settings.database?.password).toEqual({ value: '******', origin: 'jig.config.json' });
    expect(configuration.secrets()).toEqual(['hunter2']);
  });

  it.each([
    ['redis://127.0.0.1:6379/0', []],
    ['redis+sentinel://127.0.0.1:1,host:2/main/0', []],
    ['redis+sentinel://:hunter5@host/main', ['redis+sentinel://:hunter5@host/main']],
    ['redis+sentinel://host/main?sentinelPassword=hunter5', ['redis+sentinel://host/main?sentinelPassword=hunter5']],
    ['redis://me:hunter5@127.0.0.1:6379/0', ['redis://me:hunter5@127.0.0.1:6379/0']],
    ['hunter5', ['hunter5']],
  ])('masks the address %s only where it may hold a password', (address, secrets) => {
    const configuration = load({ file: { 'database.address': address } });
    expect(configuration.secrets()).toEqual(secrets);
    expect(configuration.settings.database?.address?.value).toBe('******');
  });

  it('ignores the sections of add-ons that are not installed', () => {
    const file = fileOf({ 'redis.url': 'x' });
    const environment = { JIG_REDIS_URL: 'x' };
    const foreign = new Set(['redis']);
    expect(() =>
      loadConfiguration(schema, { file, environment, flags: ['--redis.url=x'] }, { unchecked: foreign }),
    ).not.toThrow();
    expect(() => loadConfiguration(schema, { file, environment: {}, flags: [] })).toThrow(/redis.url/);
    const spaced = ['--redis.url', 'x', '--port', '3'];
    const { port } = loadConfiguration(schema, { file, environment, flags: spaced }, { unchecked: foreign }).section(
      'server',
      schema.server,
    );
    expect(port).toBe(3);
    expect(() =>
      loadConfiguration(schema, { file, environment, flags: [...spaced, 'y'] }, { unchecked: foreign }),
    ).toThrow(/word too many/);
  });
});

describe('readConfigurationFile', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jig-configuration-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const fileWith = async (content: string) => {
    const path = join(folder, 'jig.config.json');
    await writeFile(path, content);
    return path;
  };

  it('returns the settings by section and key', async () => {
    const path = await fileWith('{ "server": { "port": 1 }, "log": { "level": "warn" }, "addOns": {} }');
    expect(await readConfigurationFile(path, false)).toEqual([
      { key: 'server.port', value: 1, origin: 'jig.config.json' },
      { key: 'log.level', value: 'warn', origin: 'jig.config.json' },
    ]);
  });

  it('returns nothing without a file, and rejects when the file was named', async () => {
    expect(await readConfigurationFile('/nonexistent/jig.config.json', false)).toEqual([]);
    await expect(readConfigurationFile('/nonexistent/mine.json', true)).rejects.toThrow(
      'mine.json cannot be used: ENOENT: no such file',
    );
  });

  it.each([
    ['{\n  "server": {\n    "port": }\n}', 'it is not valid JSON'],
    ['{\n  "a": {}', 'it is not valid JSON at line 2'],
    ['{ "a": {}, }', 'it is not valid JSON at line 1'],
    ['', 'it is not valid JSON'],
    ['[]', 'it must hold one JSON object'],
    ['{ "server": 8080 }', 'section "server" must be an object of settings'],
  ])('reports what is wrong with %j', async (content, sentence) => {
    await expect(readConfigurationFile(await fileWith(content), false)).rejects.toThrow(sentence);
  });
});
