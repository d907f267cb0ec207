import { randomBytes } from 'node:crypto';
import type { Signer } from '@fastify/cookie';
import type { SignedId } from './recent-ids.ts';

const bytesPerId = 32;
const idsPerBatch = 32;

/** New ids of 256 random bits, signed. They are made in batches, since drawing randomness for each costs more than signing it. */
export class SessionIds {
  readonly #signer: Signer;
  readonly #ready: SignedId[] = [];

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  next(): SignedId {
    return this.#ready.pop() ?? this.#makeBatch();
  }

  #makeBatch(): SignedId {
    const random = randomBytes(bytesPerId * idsPerBatch);
    for (let start = bytesPerId; start < random.length; start += bytesPerId)
      this.#ready.push(this.#make(random, start));
    return this.#make(random, 0);
  }

  #make(random: Buffer, start: number): SignedId {
    const id = random.toString('base64url', start, start + bytesPerId);
    return { id, signed: this.#signer.sign(id), sent: Number.NEGATIVE_INFINITY };
  }
}
