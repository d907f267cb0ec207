import type { IncomingMessage, ServerResponse } from 'node:http';

/** By a POST to them, outside of all addresses of beans, Jig stays in a process for as long as the connection is open, or leaves it. */
export const holdPath = '/hold';
export const stopPath = '/stop';

export const isPostTo = ({ method, url }: Pick<IncomingMessage, 'method' | 'url'>, path: string) =>
  method === 'POST' && url === path;

/** What an agent says to whoever holds it. */
export interface HeldAgent {
  /** For how long the search stopped the event loop at most. */
  readonly longestMs: number;
  /** How many threads were asked to get an agent. */
  readonly threads: number;
}

/** Whoever has attached has so long to hold the agent. */
const heldWithinMs = 5000;

/** Those who hold an agent: when the last one is gone, however it went, the agent leaves. */
export class Holds {
  readonly #all = new Set<ServerResponse>();
  readonly #leave: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(leave: () => void) {
    this.#leave = leave;
    this.#timer = setTimeout(leave, heldWithinMs).unref();
  }

  async add(response: ServerResponse, said: Promise<object>): Promise<void> {
    clearTimeout(this.#timer);
    this.#all.add(response);
    response.once('close', () => {
      this.#all.delete(response);
      if (this.#all.size === 0) this.#leave();
    });
    // An error that nobody handles would end the application.
    response
      .on('error', () => {})
      .writeHead(200)
      .flushHeaders();
    const text = JSON.stringify(await said);
    if (!response.destroyed) response.write(text);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
