import { ServerClock } from '@jig/sessions/internal';
import type { AcknowledgedReply, RedisCommand, TimedCommand, WaitForReplicas } from './redis-topology.ts';

interface PendingWrite {
  readonly commands: readonly TimedCommand[];
  readonly resolve: (answer: Promise<AcknowledgedReply>) => void;
}

/**
 * The writes on one connection, whose commands say until when they may be done, by the clock of its server.
 *
 * Redis answers nothing else on a connection while it waits for replicas, so writes that come in the meantime share the next wait. None
 * takes longer than two of them, where it is not redirected.
 */
export class NodeWrites {
  readonly #send: (command: RedisCommand) => Promise<unknown>;
  readonly #wait: WaitForReplicas;
  #clock = new ServerClock();
  #pending: PendingWrite[] = [];
  #isWaiting = false;

  constructor(send: (command: RedisCommand) => Promise<unknown>, wait: WaitForReplicas) {
    this.#send = send;
    this.#wait = wait;
  }

  /** To be called when the connection is made anew, since the server may be another one. */
  reset(): void {
    this.#clock = new ServerClock();
  }

  /** The reply is that to the last of the commands, which stand together on the connection. */
  async write(...commands: readonly TimedCommand[]): Promise<AcknowledgedReply> {
    while (!this.#clock.isKnown) await this.#askTime(this.#clock);
    if (this.#wait.replicas === 0) return { reply: await this.#sendTogether(commands), replicas: 0 };
    return new Promise((resolve) => {
      this.#pending.push({ commands, resolve });
      if (!this.#isWaiting) void this.#sendPending();
    });
  }

  async #askTime(clock: ServerClock): Promise<void> {
    const asked = performance.now();
    const [seconds, microseconds] = (await this.#send(['TIME'])) as [string, string];
    clock.learn(Number(seconds) * 1000 + Number(microseconds) / 1000, asked, performance.now());
  }

  async #sendPending(): Promise<void> {
    this.#isWaiting = true;
    const wait: RedisCommand = ['WAIT', String(this.#wait.replicas), String(this.#wait.timeout)];
    while (this.#pending.length > 0) {
      const writes = this.#pending.splice(0);
      // What is sent in one turn of the event loop stands together.
      const replies = writes.map(({ commands }) => this.#sendTogether(commands));
      const acknowledged = this.#send(wait);
      for (const [index, { resolve }] of writes.entries()) resolve(withReplicas(replies[index], acknowledged));
      await acknowledged.catch(() => {});
    }
    this.#isWaiting = false;
  }

  /** Nothing is sent when one of them can no longer be in time. */
  async #sendTogether(commands: readonly TimedCommand[]): Promise<unknown> {
    const replies = commands.map((command) => command(this.#clock)).map((command) => this.#send(command));
    for (const reply of replies) reply.catch(() => {});
    return replies.at(-1);
  }
}

/** Fails as soon as the write does. */
async function withReplicas(
  reply: Promise<unknown> | undefined,
  acknowledged: Promise<unknown>,
): Promise<AcknowledgedReply> {
  const [answer, replicas] = await Promise.all([reply, acknowledged]);
  return { reply: answer, replicas: Number(replicas) };
}
