/** An id, and how the cookie says it. */
export interface SignedId {
  readonly id: string;
  readonly signed: string;
  /** When this process last sent the cookie, by `performance.now()`. */
  sent: number;
}

const generationSize = 2048;

/**
 * Ids whose signatures were found good lately, since checking one costs more than all the rest of a session in a request.
 * Two generations: when the young one is full it becomes the old one, and what nobody asked for since is forgotten.
 */
export class RecentIds {
  #young = new Map<string, SignedId>();
  #old = new Map<string, SignedId>();

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  find(signed: string): SignedId | undefined {
    const young = this.#young.get(signed);
    if (young !== undefined) return young;
    const old = this.#old.get(signed);
    if (old !== undefined) this.add(old);
    return old;
  }

  add(id: SignedId): void {
    if (this.#young.size >= generationSize) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(id.signed, id);
  }
}
