import { types } from 'node:util';
import { type BeanSource, Problem, type ProblemForm } from '@jig/application';
import { hasJigCode } from '@jig/application/internal';
import { InspectError, type Inspection, type InspectionOptions, inspect, Masking, type Secrets } from '@jig/inspect';
import type { FastifyRequest } from 'fastify';
import { Access } from './access/access.ts';
import { BeanIndex } from './bean-index.ts';
import { requestedOptions } from './requested-options.ts';
import type { InspectionSettings } from './settings.ts';

/** Looks beans up by name and shows them to those who may see them. It is itself a bean, and without it nothing is shown. */
export class BeanController {
  readonly #beans: BeanSource;
  readonly #secrets: Secrets;
  readonly #settings: InspectionSettings;
  readonly #access: Access;
  #masking = new Masking();
  #shown = 0;

  constructor(beans: BeanSource, secrets: Secrets, settings: InspectionSettings) {
    this.#beans = beans;
    this.#secrets = secrets;
    this.#settings = settings;
    this.#access = new Access(settings);
  }

  /** How many documents were shown so far. */
  get shown(): number {
    return this.#shown;
  }

  get limits(): Pick<InspectionSettings, 'depth' | 'limit' | 'textLimit' | 'timeBudget'> {
    const { depth, limit, textLimit, timeBudget } = this.#settings;
    return { depth, limit, textLimit, timeBudget };
  }

  /** Throws the problem unless the sender of the request may look at beans at all. */
  check(request: FastifyRequest, form: ProblemForm): void {
    this.#access.check(request, form);
  }

  /** The bean of this name, to be written in a form; throws the problem when it is not to be seen. */
  async bean(name: string, format: 'json' | 'xml', request: FastifyRequest): Promise<Inspection> {
    this.check(request, format);
    if (this.#beans.describe(name) === undefined) throw notFound(format);
    const options = requestedOptions(request.raw.url ?? '', this.#settings, format);
    this.#access.checkBean(name, format);
    const { bean } = await this.#get(name, format, request);
    const { textLimit, timeBudget } = this.#settings;
    this.#shown++;
    return inspectPart(bean, {
      ...options,
      format,
      text: textLimit,
      budget: timeBudget,
      masking: this.#currentMasking(),
    });
  }

  /** The list of beans that are open. What the parameters ask for is refused here as elsewhere, though it shows all. */
  index(request: FastifyRequest, form: ProblemForm): BeanIndex {
    this.check(request, form);
    requestedOptions(request.raw.url ?? '', this.#settings, form);
    return new BeanIndex(this.#beans, (name) => this.#access.isOpen(name));
  }

  /** A text without what is secret in it. */
  mask(text: string): string {
    return this.#secrets.mask(text);
  }

  /** The list, to be written in a form. */
  indexDocument(request: FastifyRequest, format: 'json' | 'xml'): Inspection {
    const index = this.index(request, format);
    const options = requestedOptions(request.raw.url ?? '', this.#settings, format);
    return inspectPart(index, { ...options, format, masking: this.#currentMasking() });
  }

  /** The bean in an object of its own: a promise of the bean itself would ask it for `then`, which may be a trap. */
  async #get(name: string, form: ProblemForm, request: FastifyRequest): Promise<{ readonly bean: unknown }> {
    try {
      if (this.#isThere(name)) return { bean: this.#beans.peek(name) };
      const coming = this.#beans.get(name, request);
      if (!this.#isThere(name)) return { bean: await coming };
      coming.catch(() => undefined);
      return { bean: this.#beans.peek(name) };
    } catch (error) {
      if (hasJigCode(error)) throw error;
      request.log.warn({ err: error }, 'a bean could not be made to be inspected');
      throw new Problem(503, { detail: 'This bean cannot be made right now; the log says why.', form, cause: error });
    }
  }

  #isThere(name: string): boolean {
    const bean = this.#beans.peek(name);
    return bean !== undefined && !types.isPromise(bean);
  }

  /** Secrets may still be added after the start, such as the password of a database. */
  #currentMasking(): Masking {
    const secrets = this.#secrets.finder();
    if (this.#masking.secrets !== secrets) this.#masking = new Masking({ secrets });
    return this.#masking;
  }
}

/** A pointer to what is not there is an address of nothing. */
function inspectPart(value: unknown, options: InspectionOptions & { readonly format: 'json' | 'xml' }): Inspection {
  try {
    return inspect(value, options);
  } catch (error) {
    if (error instanceof InspectError && error.code === 'JIG_INSPECTION_PART_MISSING')
      throw notFound(options.format, 'the bean has no such part; look at it without the parameter at');
    throw error;
  }
}

/** The first words are the spec's; the name is not repeated. */
export function notFound(form: ProblemForm, why = 'there is no bean of that name; /jig/bean lists all'): Problem {
  const title = 'Resource not found';
  return new Problem(404, { title, detail: `${title}: ${why}.`, reason: title, form });
}
