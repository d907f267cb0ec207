import { types } from 'node:util';
import { preferredMediaType } from '@jig/http';
import {
  type Glance,
  type GlanceReading,
  InspectError,
  type Inspection,
  type InspectionOptions,
  inspect,
  Masking,
  type MaskingOptions,
  type Secrets,
  type View,
} from '@jig/inspect';
import { ask, glance, hidesScalar, maskMark, type PrivateFieldsOf, readPrivateFields } from '@jig/inspect/internal';
import { Access, type AccessRules, type OptionName } from '../http/access.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem, isBeanProblem, type ProblemForm } from '../http/problem.ts';
import { beanParameters, type InspectionLimits, type ParameterValues, parseQuery } from '../http/query-parameters.ts';
import type { OnError } from '../http/report-error.ts';
import type { BeanCreation, BeanDescription, BeanSource, BeanValue } from '../sources/bean-source.ts';
import { absenceOf, waitForBean } from './bean-creation.ts';
import { BeanIndex, type ListedBean } from './bean-index.ts';
import type { MetricOptions } from './metric-options.ts';
import { ShownNames } from './shown-names.ts';
import { stateLines } from './state-lines.ts';

/** A value to be written, and its media type. */
export interface BeanDocument {
  readonly inspection: Inspection;
  readonly mediaType: string;
  /** 200 by default. */
  readonly status?: number;
  /** Takes a chunk back once it is sent. */
}

export interface BeanControllerOptions<Context = unknown>
  extends AccessRules,
    InspectionLimits,
    Pick<MaskingOptions, 'mask' | 'reveal'> {
  readonly optionName: OptionName;
  /** When beans are created that do not exist; by default, what their source says. */
  readonly create?: BeanCreation | undefined;
  /** How many milliseconds a request waits for a bean that is being created. */
  readonly createTimeout: number;
  /** What clients are told of an error that keeps a bean from being created; undefined for one that only the log tells. */
  explain?(cause: unknown): (Pick<BeanProblem, 'headers'> & { readonly detail: string }) | undefined;
  /** What is known of classes; the first that matches counts. */
  readonly views: readonly View[];
  /** The address that pages link to as the start page. */
  readonly startPage?: string | undefined;
  /** What pages call the application. */
  readonly application?: string | undefined;
  /** What the page of the list says above it. */
  readonly note?: (() => string | undefined) | undefined;
  readonly agents: AgentOptions<Context>;
  /** What is exported beside the readings of views. */
  readonly metrics?: MetricOptions | undefined;
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
export interface ExistingBean
  extends BeanValue,
    Pick<InspectionOptions, 'closed' | 'privateFields'>,
    Pick<InspectionLimits, 'getters'>,
    Pick<BeanControllerOptions, 'views'> {
  readonly masking: Masking;
  readonly budget: number;
}

/** A bean that may be seen, as it is shown. */
export interface OpenBean extends Pick<BeanDescription, 'name' | 'type'> {
  /** Undefined for one that does not exist. */
  readonly existing: BeanValue | undefined;
}

interface NamedBean extends Pick<BeanDescription, 'name' | 'type'> {
  readonly value: unknown;
}

interface DescribedBean extends BeanDescription {
  /** Its name in the source. */
  readonly key: string;
}

/** A bean that is looked at again and again. */
export interface WatchedBean {
  /** The same for all who see the same instance. */
  readonly key: string;
  value(): unknown;
}

/** What to show of a bean, as a query asks for it. */
type RequestedBean = InspectionOptions & ParameterValues<typeof beanParameters>;

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
  #masking = new Masking();
  /** For documents of our own, such as the list, where names that the application masks mean something else. */
  #ownMasking = this.#masking;
  /** The options of a request without a query, by form. */
  readonly #wholeBean: Partial<Record<DocumentForm, RequestedBean>> = {};
  readonly #firstLook: (() => void)[] = [];
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
    const { depth, limit, textLimit, timeBudget, getters, privateFields } = this.#options;
    return { depth, limit, textLimit, timeBudget, getters, privateFields };
  }

  get #privateFields(): PrivateFieldsOf | undefined {
    return this.#options.privateFields ? readPrivateFields : undefined;
  }

  get metrics(): MetricOptions {
    return this.#options.metrics ?? {};
  }

  /** What is known of classes. */
  get views(): readonly View[] {
    return this.#options.views;
  }

  get agents(): AgentOptions<Context> {
    return this.#options.agents;
  }

  /** How an option is called where it is configured. */
  get optionName(): OptionName {
    return this.#options.optionName;
  }

  /** What pages say of the application. */
  get site(): Pick<BeanControllerOptions, 'startPage' | 'application' | 'note'> {
    const { startPage, application, note } = this.#options;
    return { startPage, application, note };
  }

  /** The name of a bean as it is shown, by its name or by that; a text that is neither stays as it is. */
  shownName(name: string): string {
    // Most names hold no secret, and need not be compared with others.
    if (!this.#source.has(name) || this.#currentMasking().text(name) === name) return name;
    return this.#shownNames().of(name);
  }

  /** Throws a problem unless the sender of the request may look at beans at all. */
  check(request: InspectionRequest, form: ProblemForm): void {
    this.#access.check(request, form);
    this.begin();
  }

  /** Calls this when somebody who may do so looks for the first time: an application that nobody looks at pays nothing. */
  onFirstLook(listener: () => void): void {
    this.#firstLook.push(listener);
  }

  /** As if somebody had looked, for what is to be measured from the start. */
  begin(): void {
    if (this.#firstLook.length > 0) for (const listener of this.#firstLook.splice(0)) listener();
  }

  /** Throws a problem for a bean that is closed here; others may have no such rule. */
  checkOpen(name: string, form: ProblemForm): void {
    this.#access.checkBean(name, form);
  }

  /** Whether there is a bean by what an address has for its name. */
  has(name: string): boolean {
    return this.#realName(name) !== undefined;
  }

  /** Whether a bean exists, to be looked at again by whoever has asked for it. */
  exists(name: string): boolean {
    const real = this.#realName(name);
    return real !== undefined && this.#peek(real) !== undefined;
  }

  /** Whether a look shows a bean: it exists, or looking creates it. Throws a problem when it is not to be seen. */
  canLook(name: string, form: ProblemForm, request: InspectionRequest<Context>): boolean {
    this.#openName(name, form, request);
    return this.#creation === 'look' || this.exists(name);
  }

  /** A bean as a document, created if it does not exist. */
  async createdBean(name: string, form: DocumentForm, request: InspectionRequest<Context>): Promise<BeanDocument> {
    this.#openName(name, form, request);
    // A wrong query is refused before anything is created.
    this.beanOptions(request.url, form);
    const status = this.exists(name) ? 200 : 201;
    const { value } = await this.valueOf(name, form, request, 'look');
    return { ...this.document(value, form, request, this.beanOptions(request.url, form)), status };
  }

  /** A bean as a document; throws a problem when it is not to be seen. Waits only for beans that are not there yet. */
  bean(name: string, form: DocumentForm, request: InspectionRequest<Context>): BeanDocument | Promise<BeanDocument> {
    const open = this.#openName(name, form, request);
    const options = this.beanOptions(request.url, form);
    this.#shown++;
    const found = this.#get(open, form, request, this.#creation);
    if (!(found instanceof Promise)) return this.document(found.value, form, request, options);
    // With options of its own: a creation may have made closed beans as well, and secrets.
    return found.then(({ value }) => this.document(value, form, request, this.beanOptions(request.url, form)));
  }

  /** The bean itself, created where that is allowed; throws a problem when it is not to be seen. */
  valueOf(
    name: string,
    form: ProblemForm,
    request: InspectionRequest<Context>,
    creation: BeanCreation = this.#creation,
  ): BeanValue | Promise<BeanValue> {
    const open = this.#openName(name, form, request);
    this.#shown++;
    return this.#get(open, form, request, creation);
  }

  /** The name of a bean by what an address has for it; throws a problem when there is none. Names of beans may look like masked ones. */
  #nameOf(wanted: string, form: ProblemForm, request: InspectionRequest): string {
    const name = this.#realName(wanted);
    if (name === undefined) throw this.notFound(request, form);
    return name;
  }

  #realName(wanted: string): string | undefined {
    if (this.#source.has(wanted)) return wanted;
    return ShownNames.mayBe(wanted) ? this.#shownNames().nameOf(wanted) : undefined;
  }

  #shownNames(described = this.#source.describe()): ShownNames {
    return new ShownNames(
      described.map(({ name }) => name),
      this.#currentMasking(),
    );
  }

  /** A bean to be shown, if it exists: none is created. Throws a problem when it is not to be seen. */
  existing(name: string, form: ProblemForm, request: InspectionRequest<Context>): ExistingBean | undefined {
    const wanted = this.#openName(name, form, request);
    const found = this.#masked(wanted, this.#source.peek(wanted));
    if (found === undefined) return undefined;
    this.#shown++;
    return this.lookOptions(found.value);
  }

  /** How any bean is to be shown. */
  lookOptions(value?: unknown): ExistingBean {
    const { timeBudget: budget, getters, views } = this.#options;
    const privateFields = this.#privateFields;
    const masking = this.#currentMasking();
    return { value, masking, closed: this.#closedValues(), budget, getters, privateFields, views };
  }

  /** A bean by what an address has for its name, or why there is nothing to see. Creates none, and throws nothing. */
  lookUp(wanted: string): BeanValue | 'unknown' | 'closed' | 'not created' {
    const name = this.#realName(wanted);
    if (name === undefined) return 'unknown';
    return this.#access.isOpen(name) ? (this.#peek(name) ?? 'not created') : 'closed';
  }

  /** Asks for a reading of a bean that exists, which may live elsewhere. Throws a problem when there is none, or the bean is not to be seen. */
  async ask(
    name: string,
    reading: string,
    form: ProblemForm,
    request: InspectionRequest<Context>,
  ): Promise<GlanceReading> {
    const found = this.existing(name, form, request);
    if (found === undefined) throw this.#notCreated(this.#openName(name, form, request), form, request);
    const { value, masking } = found;
    const answer = await ask(value, reading, { views: this.#options.views, masking });
    if (answer !== undefined) return answer;
    throw this.notFound(
      request,
      form,
      'the bean has no such reading; its document with the parameter glance lists all',
    );
  }

  /** A bean that is looked at again and again: it is created once at most, and followed where another takes its place. */
  async watched(name: string, form: ProblemForm, request: InspectionRequest<Context>): Promise<WatchedBean> {
    const wanted = this.#nameOf(name, form, request);
    const first = await this.valueOf(wanted, form, request);
    const isShared = this.#peek(wanted) !== undefined;
    if (!isShared) this.#unshared++;
    return {
      key: isShared ? wanted : `${wanted}#${this.#unshared}`,
      value: () => (isShared ? (this.#peek(wanted) ?? first) : first).value,
    };
  }

  /** What to show of a bean. Most addresses have no query, so the options for those are made once. */
  beanOptions(url: string, form: DocumentForm): RequestedBean {
    const masking = this.#currentMasking();
    const closed = this.#closedValues();
    const { textLimit: text, timeBudget: budget, getters, views } = this.#options;
    const all = { text, budget, getters, format: form, masking, views, privateFields: this.#privateFields };
    if (url.includes('?')) {
      const asked = parseQuery(url, beanParameters, this.#options, form);
      if (asked.glance && form === 'xml')
        throw new BeanProblem(400, 'glance comes as JSON only; ask for .json.', { form });
      return { ...asked, ...all, closed };
    }
    let options = this.#wholeBean[form];
    if (options?.masking !== masking) {
      options = { ...parseQuery('', beanParameters, this.#options, form), ...all };
      this.#wholeBean[form] = options;
    }
    return closed === undefined ? options : { ...options, closed };
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

  /** The same as the value that the list shows, but without lines on their state. */
  index({ prefix }: Pick<InspectionRequest, 'prefix'>): BeanIndex {
    return new BeanIndex(this.#openBeans(), prefix);
  }

  /** The value that the list shows. */
  async list({ prefix }: Pick<InspectionRequest, 'prefix'>): Promise<BeanIndex> {
    const beans = this.#openBeans();
    return new BeanIndex(beans, prefix, await this.#linesOf(beans));
  }

  /** A line on the state of each of these that exists, by its shown name, as far as there is time for them. */
  async #linesOf(beans: readonly DescribedBean[]): Promise<ReadonlyMap<string, string>> {
    try {
      return await stateLines(this.#existing(beans), this.documentOptions());
    } catch {
      // A source that fails when it is asked for an instance can be listed all the same.
      return new Map();
    }
  }

  /** What matters of a bean at a glance, where a view knows. */
  glance(value: unknown): Glance | undefined {
    const { views, masking, closed } = this.documentOptions();
    return glance(value, { views, masking, closed });
  }

  /** The open beans, with the values of those that exist; creates none. */
  openBeans(): readonly OpenBean[] {
    return this.#withValues(this.#openBeans());
  }

  /** Those of them that exist. */
  existingBeans(): readonly NamedBean[] {
    return this.#existing(this.#openBeans());
  }

  #withValues(beans: readonly DescribedBean[]): readonly OpenBean[] {
    const peek = this.#peekMany();
    return beans.map(({ key, name, type }) => ({ name, type, existing: peek(key) }));
  }

  #existing(beans: readonly DescribedBean[]): readonly NamedBean[] {
    return this.#withValues(beans).flatMap(({ name, type, existing }) =>
      existing === undefined ? [] : [{ name, type, value: existing.value }],
    );
  }

  /** An instance that there is. A source that cannot tell of one bean does not keep the others from being shown. */
  #peek(name: string): BeanValue | undefined {
    try {
      return this.#masked(name, this.#source.peek(name));
    } catch {
      return undefined;
    }
  }

  /** A bean that is data is as secret as its name says, as it would be behind a key. */
  #masked<Found extends BeanValue | undefined>(name: string, found: Found): Found | BeanValue {
    const value = found?.value;
    if (value === undefined || value === null || typeof value === 'function') return found;
    const masking = this.#currentMasking();
    const secrecy = masking.secrecyOf(name, () => '');
    if (!hidesScalar(value, secrecy)) return found;
    if (typeof value !== 'object' || ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value))
      return { value: maskMark };
    masking.secretData ??= new WeakSet();
    masking.secretData.add(value);
    return found;
  }

  /** The same for many names. */
  #peekMany(): (name: string) => BeanValue | undefined {
    const all = this.#source.peekAll?.();
    return (name) => (all === undefined ? this.#peek(name) : this.#masked(name, all.get(name)));
  }

  /** How documents are made when a request asks for nothing else. */
  documentOptions(): InspectionOptions {
    return this.beanOptions('', 'json');
  }

  /** As they are shown, with `key` for the name in the source, which may hold a secret: without the names of closed beans, also among what others depend on, and with secrets masked. */
  #openBeans(): readonly DescribedBean[] {
    const described = this.#source.describe();
    const names = this.#shownNames(described);
    const masking = this.#currentMasking();
    const shown = (needed: readonly string[]) =>
      needed.filter((name) => this.#access.isOpen(name)).map((name) => names.of(name));
    return described
      .filter(({ name }) => this.#access.isOpen(name))
      .map(({ name: key, type, scope, owner, dependencies, instantiated, replaced, found, isMinor }) => ({
        key,
        name: names.of(key),
        type: masking.key(type),
        scope,
        owner: masking.key(owner),
        dependencies: dependencies === 'unknown' ? dependencies : shown(dependencies),
        instantiated,
        replaced,
        found,
        isMinor,
      }));
  }

  /** The values of closed beans that exist, which other beans may hold; not those that are open by another name too. */
  #closedValues(): ReadonlySet<object> | undefined {
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

  /** For those that are loaded apart from problems. */
  problem(...given: ConstructorParameters<typeof BeanProblem>): BeanProblem {
    return new BeanProblem(...given);
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

  /** The name of a bean that may be seen, by what an address has for it; throws a problem when there is none. */
  #openName(wanted: string, form: ProblemForm, request: InspectionRequest): string {
    const name = this.#nameOf(wanted, form, request);
    this.#access.checkBean(name, form);
    return name;
  }

  #get(
    name: string,
    form: ProblemForm,
    request: InspectionRequest<Context>,
    creation: BeanCreation,
  ): BeanValue | Promise<BeanValue> {
    const refuse = (cause: unknown): never => {
      const { detail = 'This bean cannot be made right now; the log says why.', headers = {} } =
        this.#options.explain?.(cause) ?? {};
      throw new BeanProblem(503, detail, { form, cause, headers });
    };
    let existing: BeanValue | undefined;
    try {
      existing = this.#masked(name, this.#source.peek(name));
    } catch (cause) {
      return refuse(cause);
    }
    if (existing !== undefined) return existing;
    if (creation === 'ask') throw this.#notCreated(name, form, request);
    return this.#createInTime(name, form, request).catch((error: unknown) => {
      if (isBeanProblem(error)) throw error;
      const { scope } = this.#descriptionOf(name);
      if (request.isFromUser !== true || (scope !== 'request' && scope !== 'session')) return refuse(error);
      const detail = `There is one of this bean for each ${scope} of the application, and what comes over its socket belongs to none. Open it at an address of the application.`;
      throw new BeanProblem(409, detail, { form, title: 'Not created' });
    });
  }

  /** A factory may never settle; its request ends all the same, and a later one finds what has come meanwhile. */
  async #createInTime(name: string, form: ProblemForm, request: InspectionRequest<Context>): Promise<BeanValue> {
    const { createTimeout } = this.#options;
    const coming = this.#source.get(name, request.context);
    const found = await waitForBean(coming, createTimeout, request.raw.signal);
    if (typeof found === 'object') return this.#masked(name, found);
    if (found === 'left') throw new BeanProblem(400, 'The client has left.', { form });
    const detail = `This bean is still not made after ${createTimeout / 1000} seconds. It may come later: look again.`;
    const cause = new Error(`The bean ${this.#secrets.mask(name)} was not made within ${createTimeout} ms.`);
    throw new BeanProblem(503, detail, { form, cause, headers: { 'retry-after': '10' } });
  }

  #descriptionOf(name: string): Pick<BeanDescription, 'scope' | 'instantiated'> {
    const found = this.#source.describe().find((bean) => bean.name === name);
    return found ?? { scope: 'unknown', instantiated: 'unknown' };
  }

  /** The name is not repeated: it may hold a secret. */
  #notCreated(name: string, form: ProblemForm, { prefix }: InspectionRequest): BeanProblem {
    const { why, creating } = absenceOf(this.#descriptionOf(name));
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
    this.#currentMasking();
    // Those of a whole bean are complete, and are not copied for each document.
    const { masking = this.#ownMasking } = options;
    const isComplete = masking === options.masking && options.format === form;
    const all = isComplete ? options : { ...options, format: form, masking };
    return this.orNotFound(request, form, () => ({
      inspection: inspect(value, all),
      mediaType: mediaTypes[form],
    }));
  }

  /** What looks at a part of a bean; a part that is not there is a problem. */
  orNotFound<Result>(request: InspectionRequest, form: ProblemForm, look: () => Result): Result {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof InspectError) || error.code !== 'JIG_INSPECTION_PART_MISSING') throw error;
      const why =
        'isUnreached' in error
          ? 'the part was not reached in time; look at entries that come earlier'
          : 'the bean has no such part; look at it without the parameter at';
      throw this.notFound(request, form, why);
    }
  }

  /** Secrets may still be added after the start, such as the password of a database. */
  #currentMasking(): Masking {
    const secrets = this.#secrets.finder();
    if (this.#masking.secrets === secrets) return this.#masking;
    const { mask, reveal } = this.#options;
    this.#masking = new Masking({ secrets, mask, reveal });
    this.#ownMasking = new Masking({ secrets });
    return this.#masking;
  }
}
