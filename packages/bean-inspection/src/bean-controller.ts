import {
  type FindHit,
  find,
  InspectError,
  type Inspection,
  type InspectionOptions,
  inspect,
  Masking,
  type Outline,
  type OutlineOptions,
  outline,
  type Secrets,
} from '@jig/inspect';
import { matchIn, releaseChunk } from '@jig/inspect/internal';
import { Access, type AccessRules, type OptionName } from './access.ts';
import { absenceOf, waitForBean } from './bean-creation.ts';
import { BeanIndex, type ListedBean } from './bean-index.ts';
import type { BeanCreation, BeanDescription, BeanSource, BeanValue } from './bean-source.ts';
import { clientSignal } from './client-signal.ts';
import type { EventStream, LiveView } from './live/event-stream.ts';
import { LiveStreams } from './live/live-streams.ts';
import { preferredMediaType } from './media-type.ts';
import { BeanProblem, isBeanProblem, type ProblemForm } from './problem.ts';
import type { OnError } from './report-error.ts';
import type { InspectionRequest } from './request-origin.ts';
import { type InspectionLimits, requestedOptions, requestedPauseMs } from './requested-options.ts';

/** A value to be written, and its media type. */
export interface BeanDocument {
  readonly inspection: Inspection;
  readonly mediaType: string;
  /** 200 by default. */
  readonly status?: number;
}

export interface BeanControllerOptions<Context = unknown> extends AccessRules, InspectionLimits {
  readonly optionName: OptionName;
  /** When beans are created that do not exist; by default, what their source says. */
  readonly create?: BeanCreation | undefined;
  /** How many milliseconds a request waits for a bean that is being created. */
  readonly createTimeout: number;
  /** The address that pages link to as the start page. */
  readonly startPage?: string | undefined;
  /** What pages call the application. */
  readonly application?: string | undefined;
  readonly agents: AgentOptions<Context>;
}

/** How beans are shown to coding agents. */
export interface AgentOptions<Context = unknown> {
  /** Whether they are. */
  readonly mcp: boolean;
  /** How many characters an answer may have. */
  readonly mcpCharacters: number;
  /** What the application knows of its health, beyond what the process tells. */
  health?(context: Context): Promise<object>;
  /** Called with an error that a client is not told. */
  readonly onError: OnError;
}

/** A bean that exists, and how it is to be shown. */
export interface ExistingBean extends BeanValue {
  readonly masking: Masking;
  readonly budget: number;
}

/** A bean that is looked at again and again. */
export interface WatchedBean {
  /** The same for all who see the same instance. */
  readonly key: string;
  value(): unknown;
}

/** A place in a bean; its own name and type are at its root. */
export interface BeanHit extends Omit<FindHit, 'in'> {
  readonly in: FindHit['in'] | 'name';
}

/** A bean in which a text was found. */
export interface FoundBean {
  readonly name: string;
  readonly type: string;
  readonly hits: readonly BeanHit[];
}

export interface FoundBeans {
  readonly beans: readonly FoundBean[];
  /** The names of beans that do not exist yet, or were not searched to their end. */
  readonly unsearched: readonly string[];
  /** Whether every bean that exists was searched to its end. */
  readonly isComplete: boolean;
}

type DocumentForm = 'json' | 'xml';

const mediaTypes = { json: 'application/json', xml: 'application/xml' } as const;

/** The media types of the list, the one for clients without a preference first. */
const indexForms = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/html': 'html',
  'text/xml': 'xml',
} as const;
const indexTypes = Object.keys(indexForms) as (keyof typeof indexForms)[];

/** Finds beans by name and shows them to those who may see them. Knows requests, but neither responses nor frameworks. */
export class BeanController<Context = unknown> {
  readonly #source: BeanSource<Context>;
  readonly #secrets: Secrets;
  readonly #options: BeanControllerOptions<Context>;
  readonly #access: Access;
  /** The event streams that are open. */
  readonly streams = new LiveStreams();
  #masking = new Masking();
  /** The options of a request without a query, by form. */
  readonly #wholeBean: Partial<Record<DocumentForm, InspectionOptions>> = {};
  #shown = 0;
  /** Beans that live for one request, whose streams share nothing. */
  #unshared = 0;

  constructor(source: BeanSource<Context>, secrets: Secrets, options: BeanControllerOptions<Context>) {
    this.#source = source;
    this.#secrets = secrets;
    this.#options = options;
    this.#access = new Access(options, options.optionName);
  }

  /** How many documents were shown so far. */
  get shown(): number {
    return this.#shown;
  }

  get limits(): InspectionLimits {
    const { depth, limit, textLimit, timeBudget } = this.#options;
    return { depth, limit, textLimit, timeBudget };
  }

  get agents(): AgentOptions<Context> {
    return this.#options.agents;
  }

  /** How an option is called where it is configured. */
  get optionName(): OptionName {
    return this.#options.optionName;
  }

  /** What pages say of the application. */
  get site(): Pick<BeanControllerOptions, 'startPage' | 'application'> {
    const { startPage, application } = this.#options;
    return { startPage, application };
  }

  /** A text that no known secret is in. Not for what a client has sent: it would be told whether that is one. */
  mask(text: string): string {
    return this.#secrets.mask(text);
  }

  /** Throws a problem unless the sender of the request may look at beans at all. */
  check(request: InspectionRequest, form: ProblemForm): void {
    this.#access.check(request, form);
  }

  has(name: string): boolean {
    return this.#source.has(name);
  }

  /** Whether a bean exists, to be looked at again by whoever has asked for it. */
  exists(name: string): boolean {
    return this.#source.peek(name) !== undefined;
  }

  /** Whether a look shows a bean: it exists, or looking creates it. Throws a problem when it is not to be seen. */
  canLook(name: string, form: ProblemForm, request: InspectionRequest<Context>): boolean {
    this.#checkBean(name, form, request);
    return this.#creation === 'look' || this.exists(name);
  }

  /** A bean as a document, created if it does not exist. */
  async createdBean(name: string, form: DocumentForm, request: InspectionRequest<Context>): Promise<BeanDocument> {
    this.#checkBean(name, form, request);
    const options = this.#beanOptions(request.url, form);
    const status = this.exists(name) ? 200 : 201;
    const { value } = await this.valueOf(name, form, request, 'look');
    return { ...this.#show(value, form, request, options), status };
  }

  /** A bean as a document; throws a problem when it is not to be seen. Waits only for beans that are not there yet. */
  bean(name: string, form: DocumentForm, request: InspectionRequest<Context>): BeanDocument | Promise<BeanDocument> {
    if (!this.#source.has(name)) throw this.notFound(request, form);
    const options = this.#beanOptions(request.url, form);
    const found = this.valueOf(name, form, request);
    if (found instanceof Promise) return found.then(({ value }) => this.#show(value, form, request, options));
    return this.#show(found.value, form, request, options);
  }

  /** The bean itself, created where that is allowed; throws a problem when it is not to be seen. */
  valueOf(
    name: string,
    form: ProblemForm,
    request: InspectionRequest<Context>,
    creation: BeanCreation = this.#creation,
  ): BeanValue | Promise<BeanValue> {
    this.#checkBean(name, form, request);
    return this.#get(name, form, request, creation);
  }

  /** A bean to be shown, if it exists: none is created. Throws a problem when it is not to be seen. */
  existing(name: string, form: ProblemForm, request: InspectionRequest<Context>): ExistingBean | undefined {
    this.#checkBean(name, form, request);
    const found = this.#source.peek(name);
    if (found === undefined) return undefined;
    this.#shown++;
    return { value: found.value, masking: this.#currentMasking(), budget: this.#options.timeBudget };
  }

  /** A bean that is looked at again and again: it is created once at most, and followed where another takes its place. */
  async watched(name: string, form: ProblemForm, request: InspectionRequest<Context>): Promise<WatchedBean> {
    const first = await this.valueOf(name, form, request);
    const isShared = this.#source.peek(name) !== undefined;
    if (!isShared) this.#unshared++;
    return {
      key: isShared ? name : `${name}#${this.#unshared}`,
      value: () => (isShared ? (this.#source.peek(name) ?? first) : first).value,
    };
  }

  /** A part of a bean as typed rows. */
  async outlineOf(
    name: string,
    request: InspectionRequest<Context>,
    options: OutlineOptions = {},
    form: ProblemForm = 'json',
  ): Promise<Outline> {
    const { value } = await this.valueOf(name, form, request);
    this.#shown++;
    return this.outline(value, request, options, form);
  }

  /** The same of a value that was got before. */
  outline(
    value: unknown,
    request: InspectionRequest,
    options: OutlineOptions = {},
    form: ProblemForm = 'json',
  ): Outline {
    const { textLimit: text, timeBudget } = this.#options;
    const bounds = { text, budget: Math.min(timeBudget, outlineBudgetMs), rows: outlineRows };
    return this.#orMissing(request, form, () =>
      outline(value, { ...bounds, ...options, names: this.#namesBesides(value), masking: this.#currentMasking() }),
    );
  }

  /** A document of a bean, as a stream: all of it whenever it differs. */
  async beanStream(name: string, request: InspectionRequest<Context>): Promise<EventStream> {
    if (!this.#source.has(name)) throw this.notFound(request, 'json');
    const options = this.#beanOptions(request.url, 'json');
    const everyMs = requestedPauseMs(request.url, 'json');
    const bean = await this.watched(name, 'json', request);
    const { at, from, depth, limit, pretty } = options;
    const view: LiveView<string> = {
      key: JSON.stringify(['json', bean.key, at, from, depth, limit, pretty]),
      everyMs,
      look: () => {
        const masking = this.#currentMasking();
        return wholeText(this.document(bean.value(), 'json', request, { ...options, masking }).inspection);
      },
      event: (next, previous) => (next === previous ? undefined : { data: next }),
    };
    return this.streams.watch(view, 'json');
  }

  /** Where a text is, in all open beans: in their names and types, and in the masked documents of those that exist. Creates none. */
  async findBeans({ raw }: InspectionRequest<Context>, text: string): Promise<FoundBeans> {
    const masking = this.#currentMasking();
    const { depth, textLimit } = this.#options;
    const open = this.#openBeans();
    const end = performance.now() + findBudgetMs;
    const beans: FoundBean[] = [];
    const unsearched: string[] = [];
    let hitsLeft = findLimit;
    let isComplete = true;
    for (const [index, { name, type }] of open.entries()) {
      const facts = factHits({ name: masking.key(name), type: masking.key(type) }, text);
      const bean = this.#source.peek(name);
      // A share of what is left, so that a big bean does not take the time of all that come after it.
      const budget = raw.socket.destroyed ? 0 : (end - performance.now()) / (open.length - index);
      const limit = Math.min(hitsLeft, findLimitPerBean);
      const isSearched = bean !== undefined && budget > 0 && limit > 0;
      const options = { masking, depth, text: textLimit, budget, limit };
      const found = isSearched ? await find(bean.value, text, options) : { hits: [], isComplete: false };
      if (!found.isComplete) unsearched.push(name);
      isComplete &&= found.isComplete || bean === undefined;
      hitsLeft -= found.hits.length;
      const hits = mergedHits(facts, found.hits);
      if (hits.length > 0) beans.push({ name, type, hits });
    }
    return { beans, unsearched, isComplete };
  }

  #show(value: unknown, form: DocumentForm, request: InspectionRequest, options: InspectionOptions): BeanDocument {
    this.#shown++;
    return this.document(value, form, request, options);
  }

  /** What to show of a bean. Most addresses have no query, so the options for those are made once. */
  #beanOptions(url: string, form: DocumentForm): InspectionOptions {
    const masking = this.#currentMasking();
    const { textLimit: text, timeBudget: budget } = this.#options;
    if (url.includes('?')) {
      requestedPauseMs(url, form);
      return { ...requestedOptions(url, this.#options, form), text, budget, format: form, masking };
    }
    let options = this.#wholeBean[form];
    if (options?.masking !== masking) {
      options = { ...requestedOptions('', this.#options, form), text, budget, format: form, masking };
      this.#wholeBean[form] = options;
    }
    return options;
  }

  /** The form that the client prefers, of the list and of a bean that it creates. */
  preferredForm(request: InspectionRequest): ProblemForm {
    const type = preferredMediaType(request.raw.headers.accept, indexTypes);
    if (type !== undefined) return indexForms[type];
    throw new BeanProblem(406, `This comes as ${indexTypes.join(', ')}.`, { form: 'json' });
  }

  /** All open beans, with those that depend on each and the addresses of their documents. */
  describe(request: Pick<InspectionRequest, 'prefix'>): readonly ListedBean[] {
    return this.index(request).beans;
  }

  /** The same as the value that the list shows. */
  index({ prefix }: Pick<InspectionRequest, 'prefix'>): BeanIndex {
    return new BeanIndex(this.#openBeans(), prefix);
  }

  /** The open beans that exist, with their values; creates none. */
  existingBeans(): readonly { readonly name: string; readonly type: string; readonly value: unknown }[] {
    return this.#openBeans().flatMap(({ name, type }) => {
      const bean = this.#source.peek(name);
      return bean === undefined
        ? []
        : [{ name: this.#secrets.mask(name), type: this.#secrets.mask(type), value: bean.value }];
    });
  }

  /** How documents are made when a request asks for nothing else. */
  documentOptions(): InspectionOptions {
    return this.#beanOptions('', 'json');
  }

  /** The names of the other beans that exist, by their values. */
  #namesBesides(value: unknown): ReadonlyMap<object, string> {
    const names = new Map<object, string>();
    for (const { name, value: bean } of this.existingBeans()) {
      if (typeof bean === 'object' && bean !== null && bean !== value && !names.has(bean)) names.set(bean, name);
    }
    return names;
  }

  #openBeans(): readonly BeanDescription[] {
    return this.#source.describe().filter(({ name }) => this.#access.isOpen(name));
  }

  /** The title is the specification's; the name is not repeated. */
  notFound(
    { prefix }: InspectionRequest,
    form: ProblemForm,
    why = `there is no bean of that name; ${prefix}/bean lists all`,
  ): BeanProblem {
    const title = 'Resource not found';
    return new BeanProblem(404, `${title}: ${why}.`, { title, reason: title, form });
  }

  get #creation(): BeanCreation {
    return this.#options.create ?? this.#source.create ?? 'look';
  }

  #checkBean(name: string, form: ProblemForm, request: InspectionRequest): void {
    if (!this.#source.has(name)) throw this.notFound(request, form);
    this.#access.checkBean(name, form);
  }

  #get(
    name: string,
    form: ProblemForm,
    request: InspectionRequest<Context>,
    creation: BeanCreation,
  ): BeanValue | Promise<BeanValue> {
    const refuse = (cause: unknown): never => {
      throw new BeanProblem(503, 'This bean cannot be made right now; the log says why.', { form, cause });
    };
    let existing: BeanValue | undefined;
    try {
      existing = this.#source.peek(name);
    } catch (cause) {
      return refuse(cause);
    }
    if (existing !== undefined) return existing;
    if (creation === 'ask') throw this.#notCreated(name, form, request);
    return this.#createInTime(name, form, request).catch((error: unknown) =>
      isBeanProblem(error) ? Promise.reject(error) : refuse(error),
    );
  }

  /** A factory may never settle; its request ends all the same, and a later one finds what has come meanwhile. */
  async #createInTime(name: string, form: ProblemForm, request: InspectionRequest<Context>): Promise<BeanValue> {
    const { createTimeout } = this.#options;
    const coming = this.#source.get(name, request.context);
    const found = await waitForBean(coming, createTimeout, clientSignal(request.raw.socket));
    if (typeof found === 'object') return found;
    if (found === 'left') throw new BeanProblem(400, 'The client has left.', { form });
    const detail = `This bean is still not made after ${createTimeout / 1000} seconds. It may come later: look again.`;
    const cause = new Error(`The bean ${this.#secrets.mask(name)} was not made within ${createTimeout} ms.`);
    throw new BeanProblem(503, detail, { form, cause, headers: { 'retry-after': '10' } });
  }

  /** The name is not repeated: it may hold a secret. */
  #notCreated(name: string, form: ProblemForm, { prefix }: InspectionRequest): BeanProblem {
    const { why, creating } = absenceOf(
      this.#source.describe().find((bean) => bean.name === name) ?? { scope: 'unknown', instantiated: 'unknown' },
    );
    const detail = `${why}, and looking creates nothing. POST ${prefix}/bean/{name} creates it. ${creating}`;
    return new BeanProblem(409, detail, { form, title: 'Not created' });
  }

  /** A value of our own or of a bean, as a document. */
  document(
    value: unknown,
    form: DocumentForm,
    request: InspectionRequest,
    options: InspectionOptions = {},
  ): BeanDocument {
    const { masking = this.#currentMasking() } = options;
    return this.#orMissing(request, form, () => ({
      inspection: inspect(value, { ...options, format: form, masking }),
      mediaType: mediaTypes[form],
    }));
  }

  /** What looks at a part of a bean; a part that is not there is a problem. */
  #orMissing<Result>(request: InspectionRequest, form: ProblemForm, look: () => Result): Result {
    try {
      return look();
    } catch (error) {
      if (error instanceof InspectError && error.code === 'JIG_INSPECTION_PART_MISSING')
        throw this.notFound(request, form, 'the bean has no such part; look at it without the parameter at');
      throw error;
    }
  }

  /** Secrets may still be added after the start, such as the password of a database. */
  #currentMasking(): Masking {
    const secrets = this.#secrets.finder();
    if (this.#masking.secrets !== secrets) this.#masking = new Masking({ secrets });
    return this.#masking;
  }
}

/** An outline is made in one go, which must not hold up others for long. */
const outlineBudgetMs = 200;
const outlineRows = 2000;

/** How long a search may take in all, other work of the event loop between its slices included. */
const findBudgetMs = 2000;
const findLimit = 500;
const findLimitPerBean = 50;

/** Where a text is in what is known of a bean without looking at it. */
function factHits(facts: Readonly<Record<'name' | 'type', string>>, text: string): BeanHit[] {
  return (['name', 'type'] as const).flatMap((fact) => {
    const match = matchIn(facts[fact], text.toLowerCase());
    return match === undefined ? [] : [{ pointer: '', in: fact, ...match }];
  });
}

/** The type of a bean is mostly that of its value, and told once. */
function mergedHits(facts: readonly BeanHit[], found: readonly FindHit[]): BeanHit[] {
  const isTyped = found.some(({ pointer, in: where }) => pointer === '' && where === 'type');
  return [...facts.filter((hit) => hit.in === 'name' || !isTyped), ...found];
}

/** How much of a document is sent again and again. */
const longestStreamed = 1024 * 1024;

/** A document that is not too long to be sent again and again. */
async function wholeText(inspection: Inspection): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of inspection) {
    size += chunk.length;
    if (size > longestStreamed)
      throw new BeanProblem(400, 'This is too much for a stream; narrow it by at, depth and limit.', { form: 'json' });
    chunks.push(Buffer.from(chunk));
    releaseChunk(chunk);
  }
  return Buffer.concat(chunks).toString();
}
