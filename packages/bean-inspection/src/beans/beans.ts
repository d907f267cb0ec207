import { types } from 'node:util';
import type { Masking } from '@jig/inspect';
import { hidesScalar, maskMark } from '@jig/inspect/internal';
import type { Access } from '../http/access.ts';
import type { Awaitable } from '../http/answer.ts';
import { BeanProblem, isBeanProblem, noSuchBean } from '../http/problem.ts';
import type { InspectionRequest } from '../http/request.ts';
import type { BeanCreation, BeanDescription, BeanSource, BeanValue } from '../sources/bean-source.ts';

export interface BeansOptions {
  /** When beans are created that do not exist; by default, what their source says. */
  readonly create?: BeanCreation | undefined;
  /** The problem for clients when a bean cannot be created; undefined for an error that is only logged. */
  explain?(cause: unknown): (Pick<BeanProblem, 'headers'> & { readonly detail: string }) | undefined;
}

/** How long a request waits for a bean that is being created. */
const createTimeoutMs = 10_000;

/** A bean that exists. */
export interface NamedBean extends Pick<BeanDescription, 'name' | 'type'> {
  readonly value: unknown;
}

/** A bean that is read again and again. */
export interface FollowedBean {
  /** The same for all who see the same instance. */
  readonly key: string;
  value(): unknown;
}

/** Lists the beans of a source that may be seen, and finds or creates one. */
export class Beans {
  readonly #source: BeanSource;
  readonly #access: Access;
  readonly #masking: () => Masking;
  readonly #options: BeansOptions;
  /** How many request-scoped beans were followed; each gets a key of its own. */
  #unsharedCount = 0;

  constructor(source: BeanSource, access: Access, masking: () => Masking, options: BeansOptions) {
    this.#source = source;
    this.#access = access;
    this.#masking = masking;
    this.#options = options;
  }

  /** The open beans; closed ones are missing from the dependencies of others too. Names are not masked. */
  describe(): readonly BeanDescription[] {
    const isOpen = (name: string) => this.#access.isOpen(name);
    const masking = this.#masking();
    return this.#source.describe().flatMap((bean) => {
      if (!isOpen(bean.name)) return [];
      const dependencies = bean.dependencies === 'unknown' ? bean.dependencies : bean.dependencies.filter(isOpen);
      return [{ ...bean, type: masking.key(bean.type), owner: masking.key(bean.owner), dependencies }];
    });
  }

  /** The open beans that exist. Creates no bean. */
  *existing(): Generator<NamedBean> {
    const peek = this.#peekMany();
    for (const { name, type } of this.describe()) {
      const found = peek(name);
      if (found !== undefined) yield { name, type, value: found.value };
    }
  }

  /** The values of existing closed beans, which other beans may hold, except those also open under another name. */
  closedValues(): ReadonlySet<object> | undefined {
    if (this.#access.isOpenToAll) return undefined;
    const open = new Set<unknown>();
    const closed = new Set<object>();
    const peek = this.#peekMany();
    for (const { name } of this.#source.describe()) {
      const value = peek(name)?.value;
      if (this.#access.isOpen(name)) open.add(value);
      else if (typeof value === 'function' || (typeof value === 'object' && value !== null)) closed.add(value);
    }
    return new Set([...closed].filter((value) => !open.has(value)));
  }

  /** Whether a bean has that name, open or closed. */
  has(name: string): boolean {
    return this.#source.has(name);
  }

  /** A bean, or why it is not shown. Creates no bean, and never throws. */
  find(name: string): BeanValue | 'unknown' | 'closed' | 'not created' {
    if (!this.#source.has(name)) return 'unknown';
    return this.#access.isOpen(name) ? (this.#peek(name) ?? 'not created') : 'closed';
  }

  /** Throws a problem unless the bean is known and open. */
  check(name: string, request: InspectionRequest): void {
    if (!this.#source.has(name)) throw noSuchBean(request);
    this.#access.checkBean(name);
  }

  /** Whether a GET shows the bean: it exists, or reading creates it. */
  isShown(name: string): boolean {
    return this.#creation === 'onRead' || this.#peek(name) !== undefined;
  }

  /** At once if the bean exists. Creates it if that is allowed; throws a problem, or rejects with one, if it cannot be shown. */
  get(name: string, request: InspectionRequest, creation = this.#creation): Awaitable<BeanValue> {
    this.check(name, request);
    try {
      const existing = this.#masked(name, this.#source.peek(name));
      if (existing !== undefined) return existing;
    } catch (error) {
      throw this.#toProblem(name, request, error);
    }
    if (creation === 'explicit') throw this.notCreated(name, request);
    return this.#create(name, request).catch((error: unknown) => {
      throw isBeanProblem(error) ? error : this.#toProblem(name, request, error);
    });
  }

  /** For repeated reads: created at most once, and replaced when the source replaces it. */
  async follow(name: string, request: InspectionRequest): Promise<FollowedBean> {
    const first = await this.get(name, request);
    const isShared = this.#peek(name) !== undefined;
    if (!isShared) this.#unsharedCount++;
    return {
      key: isShared ? name : `${name}#${this.#unsharedCount}`,
      value: () => (isShared ? (this.#peek(name) ?? first) : first).value,
    };
  }

  /** The problem of a bean that does not exist, with what creating it does. */
  notCreated(name: string, { prefix }: InspectionRequest): BeanProblem {
    const { why, creating } = describeAbsence(this.#description(name));
    const detail = `${why}, and looking creates nothing. POST ${prefix}/bean/{name} creates it. ${creating}`;
    return new BeanProblem(409, detail, { title: 'Not created' });
  }

  get #creation(): BeanCreation {
    return this.#options.create ?? this.#source.create ?? 'onRead';
  }

  /** A factory may never settle: the request times out, and a later one finds the bean once it exists. */
  async #create(name: string, { context, raw }: InspectionRequest): Promise<BeanValue> {
    const found = await withTimeout(this.#source.get(name, context), createTimeoutMs, raw.signal);
    if (found !== undefined) return this.#masked(name, found);
    if (raw.signal.aborted) throw new BeanProblem(400, 'The client has left.');
    const detail = `This bean is still not made after ${createTimeoutMs / 1000} seconds. It may come later: look again.`;
    const cause = new Error(`The bean ${name} was not made within ${createTimeoutMs} ms.`);
    throw new BeanProblem(503, detail, { cause, headers: { 'retry-after': '10' } });
  }

  #toProblem(name: string, { isOverSocket }: InspectionRequest, cause: unknown): BeanProblem {
    const { scope } = this.#description(name);
    if (isOverSocket === true && (scope === 'request' || scope === 'session')) {
      const detail = `There is one of this bean for each ${scope} of the application, and what comes over its socket belongs to none. Open it at an address of the application.`;
      return new BeanProblem(409, detail, { title: 'Not created' });
    }
    const { detail = 'This bean cannot be made right now; the log says why.', headers = {} } =
      this.#options.explain?.(cause) ?? {};
    return new BeanProblem(503, detail, { cause, headers });
  }

  #description(name: string): Pick<BeanDescription, 'scope' | 'instantiated'> {
    const found = this.#source.describe().find((bean) => bean.name === name);
    return found ?? { scope: 'unknown', instantiated: 'unknown' };
  }

  /** A bean whose source fails must not keep others from being shown. */
  #peek(name: string): BeanValue | undefined {
    try {
      return this.#masked(name, this.#source.peek(name));
    } catch {
      return undefined;
    }
  }

  /** Like `#peek`, for many names. */
  #peekMany(): (name: string) => BeanValue | undefined {
    const all = this.#source.peekAll?.();
    return (name) => (all === undefined ? this.#peek(name) : this.#masked(name, all.get(name)));
  }

  /** Masks a bean that is plain data by its name, like a value under that key. */
  #masked<Found extends BeanValue | undefined>(name: string, found: Found): Found | BeanValue {
    const value = found?.value;
    if (value === undefined || value === null || typeof value === 'function') return found;
    const masking = this.#masking();
    const secrecy = masking.secrecyOf(name, () => '');
    if (!hidesScalar(value, secrecy)) return found;
    if (typeof value !== 'object' || ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value))
      return { value: maskMark };
    masking.secretData ??= new WeakSet();
    masking.secretData.add(value);
    return found;
  }
}

/** Undefined on timeout or abort. */
function withTimeout<Value>(promise: Promise<Value>, milliseconds: number, signal: AbortSignal) {
  return new Promise<Value | undefined>((resolve, reject) => {
    const resolveEmpty = () => resolve(undefined);
    const timer = setTimeout(resolveEmpty, milliseconds);
    signal.addEventListener('abort', resolveEmpty);
    if (signal.aborted) resolveEmpty();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', resolveEmpty);
    };
    promise.finally(end).then(resolve, reject);
  });
}

/** Why a bean is not shown, and what creating it does. */
export function describeAbsence({ scope, instantiated }: Pick<BeanDescription, 'scope' | 'instantiated'>) {
  const runs = 'runs its constructor or factory, and those of what it needs';
  if (scope === 'request' || scope === 'session' || scope === 'transient')
    return {
      why: `There is one of this bean for each ${scope === 'transient' ? 'use' : scope}`,
      creating: `Creating one ${runs}. It is shown once, and not kept for another look.`,
    };
  if (instantiated === 'unknown')
    return {
      why: 'Whether this bean exists is unknown until it is opened',
      creating: `Asking for it ${runs}, where that did not happen yet.`,
    };
  return { why: 'This bean does not exist yet', creating: `Creating it ${runs}, as the application would.` };
}
