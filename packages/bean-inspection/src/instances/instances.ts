import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AccessRules } from '../http/access.ts';
import { notFound } from '../http/problem.ts';
import { type Announced, type Announcement, announce, announcements } from './announcement.ts';
import { type Identity, identity, startOfProcess } from './identity.ts';

/** An instance of the application on this machine, and how it is reached. */
export interface Instance extends Identity {
  readonly pid: number;
  /** As in ISO 8601. */
  readonly startedAt: string;
  readonly socket: string;
  /** What its addresses begin with. */
  readonly prefix: string;
}

export interface InstancesOptions extends Partial<AccessRules> {
  readonly instance?: string | undefined;
  readonly application?: string | undefined;
  readonly prefix: string;
}

/** This instance of an application, and the others of its user on this machine. */
export class Instances {
  readonly here: Identity;
  readonly #options: InstancesOptions;
  #announced: Announced | undefined;
  /** Why others cannot find this one. */
  #reason = 'this process does not announce itself';

  constructor(options: InstancesOptions) {
    this.#options = options;
    this.here = identity(options.instance);
  }

  /** Lets the others find this one, where that is possible. */
  announce(handler: RequestListener, attached = false): void {
    const { application, prefix } = this.#options;
    const rules = rulesOf(this.#options);
    try {
      this.#announced = announce({ ...this.here, application, prefix, rules, attached, handler });
    } catch (error) {
      this.#reason = `this process cannot announce itself: ${error instanceof Error ? error.message : 'it failed'}`;
    }
  }

  get announcement(): Announcement | undefined {
    return this.#announced?.announcement;
  }

  /** Adds an address to the announcement. */
  update(address: string, prefix: string): void {
    const { addresses = [] } = this.announcement ?? {};
    this.#announced?.update({ addresses: [...new Set([...addresses, address])], prefix });
  }

  close(): void {
    this.#announced?.close();
    this.#announced = undefined;
  }

  /** This one, as an entry of the list. */
  get self(): Identity & Pick<Instance, 'pid' | 'startedAt'> {
    return { ...this.here, pid: process.pid, startedAt: new Date(startOfProcess).toISOString() };
  }

  /** The other instances that can be asked. */
  async others(): Promise<readonly Instance[]> {
    const own = this.announcement;
    if (own === undefined) return [];
    const found = (await announcements()).filter((each) => isSibling(each, own));
    return sortByLabel(
      found.map(({ id, label, pid, startedAt, socket, prefix }) => ({ id, label, pid, startedAt, socket, prefix })),
    );
  }

  /** Throws a problem that lists the known ids. */
  async find(id: string): Promise<Instance> {
    const others = await this.others();
    const found = others.find((each) => each.id === id);
    if (found !== undefined) return found;
    const known = [this.here, ...others].map((each) => each.id).join(', ');
    const alone = this.#announced === undefined ? `, since ${this.#reason}` : '';
    throw notFound(`there is no instance of that id; known are ${known}${alone}`);
  }
}

/** Access to one is access to all with the same rules: a forwarded request is not checked again. */
function rulesOf({ token = '', allow = [], deny = [] }: Partial<AccessRules>): string {
  // The first hash of a process takes 4 ms.
  if (token === '' && allow.length + deny.length === 0) return '';
  const rules = JSON.stringify([token, [...allow].sort(), [...deny].sort()]);
  return createHash('sha256').update(rules).digest('base64url');
}

/** Of the same application, in another process or thread. What `jig run` and `jig attach` serve is for the console alone. */
const isSibling = (other: Announcement, own: Announcement) =>
  other.id !== own.id &&
  other.application === own.application &&
  other.folder === own.folder &&
  // A worker thread has the pid of its process, but a script of its own.
  (other.pid === own.pid || other.script === own.script) &&
  other.mount === own.mount &&
  other.rules === own.rules &&
  other.attached !== true &&
  own.attached !== true;

/** `worker 2` before `worker 10`. */
export function sortByLabel<Each extends Identity>(instances: readonly Each[]): readonly Each[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...instances].sort((a, b) => compare(a.label, b.label) || compare(a.id, b.id));
}
