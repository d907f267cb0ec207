import type { RequestListener } from 'node:http';
import { type Announced, type Announcement, announce, announcements } from './announcement.ts';
import { type Identity, identity, startOfProcess } from './identity.ts';
import { type Instance, sorted } from './instance.ts';

export type PeerList = (isFresh: boolean) => Promise<readonly Instance[]>;

export interface InstancesOptions {
  readonly instance?: string | undefined;
  readonly application?: string | undefined;
  readonly prefix: string;
  /** Gives the instances of other machines. */
  readonly peers?: PeerList | undefined;
}

/** How long a list of instances is good for; one that is not in it is looked for at once. */
const listMs = 1000;

/** This instance of an application, and the others. */
export class Instances {
  readonly here: Identity;
  readonly #options: InstancesOptions;
  #announced: Announced | undefined;
  /** Why this process is not announced. */
  #reason = 'this process does not announce itself';
  #others: readonly Instance[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  #listing: Promise<readonly Instance[]> | undefined;
  readonly #closing = new AbortController();

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.here = identity(options.instance);
  }

  /** Lets others of the same user find this one, where that is possible. */
  announce(handler: RequestListener, attached = false): void {
    const { application, prefix } = this.#options;
    try {
      this.#announced = announce({ ...this.here, application, prefix, attached, handler });
    } catch (error) {
      this.#reason = `this process cannot announce itself: ${error instanceof Error ? error.message : 'it failed'}`;
    }
  }

  get announcement(): Announcement | undefined {
    return this.#announced?.announcement;
  }

  get isAnnounced(): boolean {
    return this.#announced !== undefined;
  }

  /** Tells others by which address this one is reached. */
  update(address: string, prefix: string): void {
    const { addresses = [] } = this.#announced?.announcement ?? {};
    this.#announced?.update({ addresses: [...new Set([...addresses, address])], prefix });
  }

  /** Aborts what was passed on, when the application closes. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
    this.#announced?.close();
    this.#announced = undefined;
  }

  /** What this one says of itself, as others of its list do. */
  get self(): Identity & Pick<Instance, 'pid' | 'startedAt'> {
    return { ...this.here, pid: process.pid, startedAt: new Date(startOfProcess).toISOString() };
  }

  /** Those that can be asked beside this one. @param hasPeers whether those of other machines are among them */
  others({ isFresh = false, hasPeers = true } = {}): readonly Instance[] | Promise<readonly Instance[]> {
    const { peers } = this.#options;
    if (!hasPeers || peers === undefined) return this.#announced === undefined ? [] : this.#local(isFresh);
    return this.#withPeers(peers, isFresh);
  }

  /** The one of an id. @throws a sentence that says which there are */
  async find(id: string, options: { readonly hasPeers: boolean }): Promise<Instance | string> {
    for (const isFresh of [false, true]) {
      const found = (await this.others({ ...options, isFresh })).find((each) => each.id === id);
      if (found !== undefined && found.fault === undefined) return found;
    }
    return this.absence((await this.others(options)).map((each) => each.id));
  }

  /** A sentence on an instance that there is not. */
  absence(others: readonly string[]): string {
    const alone = this.#announced === undefined ? `, since ${this.#reason}` : '';
    return `there is no instance of that id; ${
      others.length === 0
        ? `only ${this.here.id} is known${alone}`
        : `there are ${[this.here.id, ...others].join(', ')}`
    }`;
  }

  #local(isFresh: boolean): readonly Instance[] | Promise<readonly Instance[]> {
    if (!isFresh && performance.now() - this.#listedAt < listMs) return this.#others;
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #list(): Promise<readonly Instance[]> {
    this.#listedAt = performance.now();
    const own = this.#announced?.announcement;
    const found = await announcements();
    this.#others = sorted(found.filter((each) => isSibling(each, own, this.here.id)).map(toInstance));
    return this.#others;
  }

  async #withPeers(peers: PeerList, isFresh: boolean): Promise<readonly Instance[]> {
    const [local, remote] = await Promise.all([this.others({ isFresh, hasPeers: false }), peers(isFresh)]);
    const known = new Set([this.here.id, ...local.map(({ id }) => id)]);
    return sorted([...local, ...remote.filter(({ id }) => !known.has(id))]);
  }
}

/** Of the same application, in another process or thread. */
function isSibling(other: Announcement, own: Announcement | undefined, id: string): boolean {
  if (own === undefined || other.id === id) return false;
  return other.application === own.application && other.folder === own.folder && other.mount === own.mount;
}

const toInstance = ({ id, label, pid, startedAt, socket, prefix }: Announcement): Instance => ({
  id,
  label,
  pid,
  startedAt,
  target: { socket },
  prefix,
  headers: {},
});
