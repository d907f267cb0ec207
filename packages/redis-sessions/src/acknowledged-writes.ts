import type { AcknowledgedReply, RedisCommand, WaitForReplicas } from './redis-topology.ts';

interface PendingWrite {
  readonly commands: readonly RedisCommand[];
  readonly resolve: (answer: Promise<AcknowledgedReply>) => void;
}

/**
 * The writes on one connection. Redis answers nothing else on it while it waits for replicas, so writes that come in the meantime share
 * the next wait. None takes longer than two of them.
 */
export class AcknowledgedWrites {
  readonly #send: (command: RedisCommand) => Promise<unknown>;
  readonly #wait: RedisCommand;
  #pending: PendingWrite[] = [];
  #isWaiting = false;

  constructor(send: (command: RedisCommand) => Promise<unknown>, { replicas, timeout }: WaitForReplicas) {
    this.#send = send;
    this.#wait = ['WAIT', String(replicas), String(timeout)];
  }

  /** The reply is that to the last of the commands, which stand together on the connection. */
  write(...commands: readonly RedisCommand[]): Promise<AcknowledgedReply> {
    return new Promise((resolve) => {
      this.#pending.push({ commands, resolve });
      if (!this.#isWaiting) void this.#sendPending();
    });
  }

  async #sendPending(): Promise<void> {
    this.#isWaiting = true;
    while (this.#pending.length > 0) {
      const writes = this.#pending.splice(0);
      // What is sent in one turn of the event loop stands together.
      const replies = writes.map(({ commands }) => this.#sendTogether(commands));
      const acknowledged = this.#send(this.#wait);
      for (const [index, { resolve }] of writes.entries()) resolve(withReplicas(replies[index], acknowledged));
      await acknowledged.catch(() => {});
    }
    this.#isWaiting = false;
  }

  #sendTogether(commands: readonly RedisCommand[]): Promise<unknown> | undefined {
    const replies = commands.map((command) => this.#send(command));
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
