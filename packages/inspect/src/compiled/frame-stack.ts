import type { Frame } from './writing.ts';

/** What is left to be written of a document that stopped on the way: a frame for each container that is open. */
export class FrameStack {
  readonly #frames: Frame[] = [];
  /** The frames noted since the last return to the top, the innermost first. */
  readonly #noted: Frame[] = [];

  /** Called by each call on its way back to the top. */
  note(frame: Frame): void {
    this.#noted.push(frame);
  }

  /** Called at the top: the innermost frame will be the next. */
  keepNoted(): void {
    for (let noted = this.#noted.pop(); noted !== undefined; noted = this.#noted.pop()) this.#frames.push(noted);
  }

  get isEmpty(): boolean {
    return this.#frames.length === 0 && this.#noted.length === 0;
  }

  next(): Frame | undefined {
    return this.#frames.pop();
  }

  abandon(): void {
    for (const frame of this.#frames) frame.close?.();
    if (this.#frames.length > 0) this.#frames.length = 0;
    if (this.#noted.length > 0) this.#noted.length = 0;
  }
}
