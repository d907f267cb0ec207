import { RedisError } from './errors.ts';
import type { AcknowledgedReply, RedisCommand, WaitForReplicas } from './redis-topology.ts';

interface PendingWrite {
  /** When it came. */
  readonly since: number;
  readonly commands: readonly RedisCommand[];
  readonly resolve: (answer: Promise<AcknowledgedReply>) => void;
}

/**
 * The writes on one connection. Redis answers nothing else on it while it waits for replicas, so writes that come in the meantime share
 * the next wait. None takes longer than two of them, where it is not redirected.
 */
export class AcknowledgedWrites {
  readonly #send: (command: RedisCommand) => Promise<unknown>;
  readonly #wait: RedisCommand;
  /** After so many milliseconds the visitor has been told that it was not stored. */
  readonly #latest: number;
  #pending: PendingWrite[] = [];
  #isWaiting = false;

  constructor(send: (command: RedisCommand) => Promise<unknown>, { replicas, timeout }: WaitForReplicas) {
    this.#send = send;
    this.#wait = ['WAIT', String(replicas), String(timeout)];
    this.#latest = 2 * timeout;
  }

  /** The reply is that to the last of the commands, which stand together on the connection. */
  write(...commands: readonly RedisCommand[]): Promise<AcknowledgedReply> {
    return new Promise((resolve) => {
      this.#pending.push({ since: performance.now(), commands, resolve });
      if (!this.#isWaiting) void this.#sendPending();
    });
  }

  async #sendPending(): Promise<void> {
    this.#isWaiting = true;
    while (this.#pending.length > 0) {
      const writes = this.#inTime(this.#pending.splice(0));
      if (writes.length === 0) continue;
      // What is sent in one turn of the event loop stands together.
      const replies = writes.map(({ commands }) => this.#sendTogether(commands));
      const acknowledged = this.#send(this.#wait);
      for (const [index, { resolve }] of writes.entries()) resolve(withReplicas(replies[index], acknowledged));
      await acknowledged.catch(() => {});
    }
    this.#isWaiting = false;
  }

  /** Those that a frozen connection held up for too long must not be stored later. */
  #inTime(writes: readonly PendingWrite[]): readonly PendingWrite[] {
    const now = performance.now();
    return writes.filter(({ since, resolve }) => {
      const isInTime = now - since <= this.#latest;
      if (!isInTime) resolve(Promise.reject(late()));
      return isInTime;
    });
  }

  #sendTogether(commands: readonly RedisCommand[]): Promise<unknown> | undefined {
    const replies = commands.map((command) => this.#send(command));
    for (const reply of replies) reply.catch(() => {});
    return replies.at(-1);
  }
}

const late = () => new RedisError('JIG_REDIS_TIMEOUT', 'Redis did not take the write in time.', { isTemporary: true });

/** Fails as soon as the write does. */
async function withReplicas(
  reply: Promise<unknown> | undefined,
  acknowledged: Promise<unknown>,
): Promise<AcknowledgedReply> {
  const [answer, replicas] = await Promise.all([reply, acknowledged]);
  return { reply: answer, replicas: Number(replicas) };
}
