import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresqlClient } from '../../packages/embedded-database/src/connection/postgresql-client.ts';
import { freePorts, until } from '../../packages/redis-sessions/test-fixtures/redis-server.ts';

const installed = '/usr/lib/postgresql';
/** PostgreSQL and PgBouncer refuse to run as root. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const identity = isRoot ? { uid: nobody, gid: nobody } : {};

/** The newest PostgreSQL of the machine. */
function program(name: string): string {
  const versions = existsSync(installed) ? readdirSync(installed).filter((version) => /^\d+$/.test(version)) : [];
  const newest = versions.map(Number).sort((one, other) => other - one)[0];
  return join(installed, String(newest), 'bin', name);
}

/** Runs a program to its end, as the user of the servers. */
function run(command: string, ...flags: string[]): void {
  const { status, stderr } = spawnSync(command, flags, { ...identity, cwd: tmpdir() });
  if (status !== 0) throw new Error(`${command} failed: ${String(stderr)}`);
}

/** A primary of PostgreSQL and a standby that follows it, synchronously, with PgBouncer in front of the primary. */
export class PostgresqlPair {
  readonly ports: { readonly primary: number; readonly standby: number; readonly pooler: number };
  readonly #folder: string;
  readonly #processes = new Map<string, ChildProcess>();

  private constructor(folder: string, [primary = 0, standby = 0, pooler = 0]: readonly number[]) {
    this.#folder = folder;
    this.ports = { primary, standby, pooler };
  }

  static async start(): Promise<PostgresqlPair> {
    const folder = await mkdtemp(join(tmpdir(), 'jig-postgresql-'));
    if (isRoot) chownSync(folder, nobody, nobody);
    chmodSync(folder, 0o755);
    const pair = new PostgresqlPair(folder, await freePorts(3));
    await pair.#startServers();
    await pair.#startPooler();
    return pair;
  }

  /** By both servers, whichever is the primary. */
  get url(): string {
    const { primary, standby } = this.ports;
    return `postgres://jig@127.0.0.1:${primary},127.0.0.1:${standby}/postgres?target_session_attrs=read-write`;
  }

  /** By the pooler, which each transaction may leave on another connection. */
  get poolerUrl(): string {
    return `postgres://jig@127.0.0.1:${this.ports.pooler}/postgres?pgbouncer=true`;
  }

  async query(port: number, text: string): Promise<readonly Record<string, unknown>[]> {
    const client = new PostgresqlClient({ host: '127.0.0.1', port, user: 'jig', database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async kill(name: 'primary' | 'standby'): Promise<void> {
    const child = this.#processes.get(name);
    this.#processes.delete(name);
    child?.kill('SIGQUIT');
    if (child !== undefined) await once(child, 'exit');
  }

  async stop(): Promise<void> {
    const children = [...this.#processes.values()];
    for (const child of children) child.kill('SIGQUIT');
    const alive = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(alive.map((child) => once(child, 'exit')));
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startServers(): Promise<void> {
    const [primary, standby] = ['primary', 'standby'].map((name) => join(this.#folder, name)) as [string, string];
    run(program('initdb'), '-D', primary, '-U', 'jig', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8');
    await appendFile(join(primary, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n');
    await this.#startServer('primary');
    const from = ['-h', '127.0.0.1', '-p', String(this.ports.primary), '-U', 'jig'];
    run(program('pg_basebackup'), ...from, '-D', standby, '-R', '-c', 'fast', '--no-sync', '-X', 'stream');
    await this.#startServer('standby');
    // Nothing is confirmed that the standby does not have.
    const synchronous = `ALTER SYSTEM SET synchronous_standby_names = '*'`;
    await this.query(this.ports.primary, synchronous);
    await this.query(this.ports.primary, 'SELECT pg_reload_conf()');
    const follows = async () =>
      (await this.query(this.ports.primary, `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1;
    await until(follows, 'the standby follows');
  }

  async #startServer(name: 'primary' | 'standby'): Promise<void> {
    const settings = {
      fsync: 'off',
      shared_buffers: '16MB',
      unix_socket_directories: '',
      listen_addresses: '127.0.0.1',
    };
    const flags = Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
    const port = this.ports[name];
    const child = spawn(program('postgres'), ['-D', join(this.#folder, name), '-p', String(port), ...flags], {
      ...identity,
      stdio: 'ignore',
    });
    this.#processes.set(name, child);
    await until(async () => (await this.query(port, 'SELECT 1')).length === 1, `the ${name} answers`);
  }

  async #startPooler(): Promise<void> {
    const folder = join(this.#folder, 'pooler');
    await mkdir(folder);
    if (isRoot) chownSync(folder, nobody, nobody);
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(
      file,
      [
        '[databases]',
        `* = user=jig host=127.0.0.1 port=${this.ports.primary}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${this.ports.pooler}`,
        'unix_socket_dir =',
        'auth_type = any',
        'pool_mode = transaction',
        // Few, so that transactions of one client are on different ones.
        'default_pool_size = 3',
        '',
      ].join('\n'),
    );
    this.#processes.set('pooler', spawn('pgbouncer', ['-q', file], { ...identity, stdio: 'ignore' }));
    await until(async () => (await this.query(this.ports.pooler, 'SELECT 1')).length === 1, 'the pooler answers');
  }
}
