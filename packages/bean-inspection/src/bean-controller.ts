import { InspectError, type Inspection, type InspectionOptions, inspect, Masking, type Secrets } from '@jig/inspect';
import { Access, type AccessRules } from './access.ts';
import type { BeanDescription, BeanSource, BeanValue } from './bean-source.ts';
import { browserPage, encodeName, type ListedBean } from './browser-page.ts';
import { preferredMediaType } from './media-type.ts';
import { BeanProblem, type ProblemForm } from './problem.ts';
import type { InspectionRequest } from './request-origin.ts';
import { type InspectionLimits, requestedOptions } from './requested-options.ts';

/** A value to be written, and its media type. */
export interface BeanDocument {
  readonly inspection: Inspection;
  readonly mediaType: string;
}

export interface BeanControllerOptions extends AccessRules, InspectionLimits {
  /** All addresses begin with it. */
  readonly prefix: string;
  /** The address that the page of all beans links to as the start page. */
  readonly startPage?: string | undefined;
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

/** The form is what follows the last dot: `a.b.json` is the bean `a.b`. */
const nameAndForm = /^(?<name>.*)\.(?<form>json|xml)$/s;

/** Finds beans by name and shows them to those who may see them. Knows requests, but neither responses nor frameworks. */
export class BeanController<Context = unknown> {
  readonly #source: BeanSource<Context>;
  readonly #secrets: Secrets;
  readonly #options: BeanControllerOptions;
  readonly #access: Access;
  #masking = new Masking();
  #shown = 0;

  constructor(source: BeanSource<Context>, secrets: Secrets, options: BeanControllerOptions) {
    this.#source = source;
    this.#secrets = secrets;
    this.#options = options;
    this.#access = new Access(options);
  }

  /** How many documents were shown so far. */
  get shown(): number {
    return this.#shown;
  }

  get limits(): InspectionLimits {
    const { depth, limit, textLimit, timeBudget } = this.#options;
    return { depth, limit, textLimit, timeBudget };
  }

  /** Throws a problem unless the sender of the request may look at beans at all. */
  check(request: InspectionRequest, form: ProblemForm): void {
    this.#access.check(request, form);
  }

  /** The bean that a file name asks for, such as `clock.json`; throws a problem when it is not to be seen. */
  async bean(file: string, request: InspectionRequest<Context>): Promise<BeanDocument> {
    const { name, form } = nameAndForm.exec(file)?.groups ?? {};
    if (name === undefined || (form !== 'json' && form !== 'xml')) {
      this.check(request, 'json');
      throw this.notFound('json');
    }
    this.check(request, form);
    if (!this.#source.has(name)) throw this.notFound(form);
    const options = requestedOptions(request.url, this.#options, form);
    this.#access.checkBean(name, form);
    const { value } = await this.#get(name, form, request.context);
    const { textLimit, timeBudget } = this.#options;
    this.#shown++;
    return this.#document(value, form, { ...options, text: textLimit, budget: timeBudget });
  }

  /** The list of all beans that are open. */
  index(form: DocumentForm, request: InspectionRequest): BeanDocument {
    const index = this.#index(form, request);
    return this.#document(index, form, requestedOptions(request.url, this.#options, form));
  }

  /** The same as a page. */
  indexPage(request: InspectionRequest): string {
    const { beans } = this.#index('html', request);
    return this.#secrets.mask(browserPage(beans, this.#options));
  }

  /** The form of the list that the client prefers. */
  preferredForm(request: InspectionRequest): ProblemForm {
    const type = preferredMediaType(request.raw.headers.accept, indexTypes);
    if (type !== undefined) return indexForms[type];
    this.check(request, 'json');
    throw new BeanProblem(406, `The list of beans comes as ${indexTypes.join(', ')}.`, { form: 'json' });
  }

  /** The title is the specification's; the name is not repeated. */
  notFound(form: ProblemForm, why = `there is no bean of that name; ${this.#options.prefix}/bean lists all`) {
    const title = 'Resource not found';
    return new BeanProblem(404, `${title}: ${why}.`, { title, reason: title, form });
  }

  /** Bad parameters are refused here as elsewhere, though the list shows all. */
  #index(form: ProblemForm, request: InspectionRequest): BeanIndex {
    this.check(request, form);
    requestedOptions(request.url, this.#options, form);
    const open = this.#source.describe().filter(({ name }) => this.#access.isOpen(name));
    return new BeanIndex(open, this.#options.prefix);
  }

  async #get(name: string, form: ProblemForm, context: Context): Promise<BeanValue> {
    try {
      return this.#source.peek(name) ?? (await this.#source.get(name, context));
    } catch (cause) {
      const detail = 'This bean cannot be made right now; the log says why.';
      throw new BeanProblem(503, detail, { form, cause });
    }
  }

  #document(value: unknown, form: DocumentForm, options: InspectionOptions): BeanDocument {
    try {
      const inspection = inspect(value, { ...options, format: form, masking: this.#currentMasking() });
      return { inspection, mediaType: mediaTypes[form] };
    } catch (error) {
      if (error instanceof InspectError && error.code === 'JIG_INSPECTION_PART_MISSING')
        throw this.notFound(form, 'the bean has no such part; look at it without the parameter at');
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

/** The list of beans, as it is shown. */
export class BeanIndex {
  readonly beans: readonly ListedBean[];

  constructor(descriptions: readonly BeanDescription[], prefix: string) {
    this.beans = descriptions.map((description) => {
      const path = `${prefix}/bean/${encodeName(description.name)}`;
      return { ...description, links: { json: `${path}.json`, xml: `${path}.xml` } };
    });
  }
}
