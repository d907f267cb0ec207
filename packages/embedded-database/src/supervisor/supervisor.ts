import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, errorMessage } from '../errors.ts';
import type { DataDirAccess } from './data-dir-access.ts';
import type { DataLock } from './data-lock.ts';
import { removeFolder, toFolderError } from './folders.ts';
import { launch, type SpawnContext, throwIfStopped } from './launch.ts';
import { cleanUpPreviousRun, ensureData, type PreparationOptions, spawnContext, takeFolder } from './preparation.ts';
import { Prober } from './prober.ts';
import { RestartPolicy, type RestartPolicyOptions } from './restart-policy.ts';
import type { ServerLog } from './server-log.ts';
import type { ServerProcess } from './server-process.ts';
import { canFollow, logChange, type State } from './state.ts';
import type { SupervisedServer } from './supervised-server.ts';

export interface SupervisorOptions extends PreparationOptions {
  readonly startTimeout: number;
  /** In milliseconds; 0: it is never asked, and so never ended for being slow. */
  readonly probeInterval: number;
  readonly serverLog: ServerLog;
  readonly restart?: RestartPolicyOptions;
  /** Whether Node goes on while the server runs, with nothing else to do. Default: true. */
  readonly keepsProcessAlive?: boolean | undefined;
}

/** Retried without end: once there is room, the server must come back by itself. */
const isDiskFull = (reason: unknown) => reason instanceof DatabaseError && reason.code === 'JIG_DATABASE_DISK_FULL';

/** Starts a server, probes it, restarts it when it ends, and stops it. Works for every engine. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #restartPolicy: RestartPolicy;
  readonly #stop = new AbortController();
  #state: State = 'new';
  #failure: Error | undefined;
  #lock: DataLock | undefined;
  #server: SupervisedServer | undefined;
  #access: DataDirAccess | undefined;
  #run: ServerProcess | undefined;
  #prober: Prober | undefined;
  #readySince: number | undefined;
  #restarts = 0;
  #working: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #keepsData = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#restartPolicy = new RestartPolicy(options.restart);
  }

  get state(): State {
    return this.#state;
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  get pid(): number | undefined {
    return this.#run?.identity.pid;
  }

  get readySince(): number | undefined {
    return this.#readySince;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Resolves when the server is ready. One that cannot start leaves no process behind. */
  start(): Promise<void> {
    const started = this.#start();
    this.#working = started.catch(() => {});
    return started;
  }

  /** Can be called twice, and at any time; no process of the server is left when it resolves. Temporary data goes, unless it is kept. */
  stop({ keepsData = false } = {}): Promise<void> {
    this.#keepsData ||= keepsData;
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  /** A caller got no answer from the server: probe it now. */
  suspect(): void {
    this.#prober?.probeNow();
  }

  async #start(): Promise<void> {
    const began = Date.now();
    try {
      this.#changeState('preparing');
      this.#lock = await takeFolder(this.#options);
      const server = await this.#options.prepare();
      this.#server = server;
      await cleanUpPreviousRun(server, this.#options);
      const context = await spawnContext(server, this.#options, this.#options.serverLog);
      this.#access = context.access;
      await ensureData(server, context, this.#stop.signal, {
        ...this.#options,
        onInitialise: () => this.#changeState('initialising'),
      });
      await this.#launchWithRetries(server, context);
      await server.checkAccess();
      throwIfStopped(server, this.#stop.signal);
      this.#becomeReady(server, context, began);
    } catch (thrown) {
      const error = toFolderError(this.#options.folders.home, thrown) ?? thrown;
      await this.#cleanUp();
      // The caller of start() reports why it failed.
      if (!this.#stop.signal.aborted) this.#fail(error);
      throw error;
    }
  }

  /** A first start is tried again only for what passes by itself; anything else is better told at once. */
  async #launchWithRetries(server: SupervisedServer, context: SpawnContext): Promise<void> {
    for (;;) {
      try {
        return await this.#launch(server, context);
      } catch (error) {
        const pause = error instanceof DatabaseError && error.isTemporary ? this.#restartPolicy.next() : undefined;
        if (pause === undefined) throw error;
        await this.#pause(pause, error);
      }
    }
  }

  async #launch(server: SupervisedServer, context: SpawnContext): Promise<void> {
    this.#changeState('starting');
    const note = async (run: ServerProcess) => {
      this.#run = run;
      await writeFile(this.#options.folders.record, JSON.stringify(run.identity), { mode: 0o600 });
    };
    await launch(server, context, note, { timeout: this.#options.startTimeout, stop: this.#stop.signal });
  }

  #becomeReady(server: SupervisedServer, context: SpawnContext, began: number): void {
    const run = this.#run;
    let isFrozen = false;
    if (this.#options.keepsProcessAlive === false) run?.keepProcessAlive(false);
    this.#readySince = Date.now();
    this.#restartPolicy.markReady();
    this.#changeState('ready', `in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    const { probeInterval } = this.#options;
    if (probeInterval > 0)
      this.#prober = new Prober({
        probe: () => server.probe(),
        interval: probeInterval,
        failures: 3,
        onSuspect: (reason) => this.#changeState('unhealthy', errorMessage(reason)),
        onRecovered: () => this.#changeState('ready', 'again'),
        onFrozen: () => {
          isFrozen = true;
          void run?.kill();
        },
      });
    void run?.ended.then((end) => {
      if (this.#stop.signal.aborted) return;
      this.#working = this.#restart(
        server,
        context,
        isFrozen ? 'it was killed, for it gave no answer' : `it ended with ${end}`,
      ).catch((error: unknown) => {
        // A failed restart while stopping is expected; any other must not leave a dead server in the state `ready`.
        if (!this.#stop.signal.aborted) this.#fail(error, errorMessage(error));
      });
    });
  }

  async #restart(server: SupervisedServer, context: SpawnContext, why: string): Promise<void> {
    this.#prober?.stop();
    this.#readySince = undefined;
    const began = Date.now();
    for (let reason: unknown = why; ; ) {
      this.#run = undefined;
      const pause = this.#restartPolicy.next() ?? (isDiskFull(reason) ? this.#restartPolicy.maximumDelay : undefined);
      if (pause === undefined) return this.#giveUp(server, reason);
      await this.#pause(pause, reason);
      try {
        await this.#launch(server, context);
        this.#restarts++;
        return this.#becomeReady(server, context, began);
      } catch (error) {
        reason = error;
      }
    }
  }

  async #pause(pause: number, reason: unknown): Promise<void> {
    this.#changeState('restarting', `${errorMessage(reason)}; trying again in ${pause / 1000} s`);
    await sleep(pause, undefined, { signal: this.#stop.signal });
  }

  #giveUp(server: SupervisedServer, cause: unknown): void {
    const what = `did not stay up and is not tried again; fix it, and restart the application. The last time: ${errorMessage(cause)}`;
    this.#fail(new DatabaseError('JIG_DATABASE_GAVE_UP', `${server.title} ${what}`, { cause }), `it ${what}`);
  }

  #fail(error: unknown, reason?: string): void {
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#changeState('failed', reason);
  }

  async #end(): Promise<void> {
    if (canFollow(this.#state, 'stopping')) this.#changeState('stopping');
    this.#stop.abort();
    this.#prober?.stop();
    await this.#working;
    await this.#cleanUp();
    if (canFollow(this.#state, 'stopped')) this.#changeState('stopped');
  }

  async #cleanUp(): Promise<void> {
    this.#prober?.stop();
    if (this.#server !== undefined) {
      await this.#run?.stop(this.#server.stopSteps);
      if (this.#options.temporary && !this.#keepsData) await removeFolder(this.#server.dataFolder);
      // What cannot be removed was not written by us either.
      await rm(this.#options.folders.record, { force: true }).catch(() => {});
      await this.#options.serverLog.close();
    }
    this.#run = undefined;
    this.#readySince = undefined;
    await this.#access?.close();
    await this.#lock?.release();
  }

  #changeState(state: State, reason?: string): void {
    const from = this.#state;
    const title = this.#server?.title ?? 'the database server';
    if (!canFollow(from, state))
      throw this.#stop.signal.aborted
        ? new DatabaseError('JIG_DATABASE_STOPPED', `${title} was stopped while it started.`)
        : new Error(`A server cannot go from ${from} to ${state}.`);
    this.#state = state;
    const { code } = (this.#failure ?? {}) as { code?: string };
    logChange(this.#options.log, title, { from, to: state, reason, code });
  }
}
