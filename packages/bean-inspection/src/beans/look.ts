import {
  type Glance,
  type GlanceReading,
  InspectError,
  type Inspection,
  type InspectionOptions,
  inspect,
  Masking,
  type MaskingOptions,
  type Outline,
  type OutlineOptions,
  outline,
  type Secrets,
  type View,
} from '@jig/inspect';
import { ask, defaultText, glance as glanceOf, readPrivateFields } from '@jig/inspect/internal';
import { expectation, type InspectionLimits, pointer } from '../http/parameters.ts';
import { BeanProblem, notFound } from '../http/problem.ts';
import type { Beans } from './beans.ts';

export interface LookOptions extends InspectionLimits {
  /** The first view that matches is used. */
  readonly views: readonly View[];
}

/** Options of `inspect`, `outline`, `find` and `glance` for any bean. */
export interface BeanOptions
  extends Pick<LookOptions, 'depth' | 'getters' | 'views'>,
    Pick<InspectionOptions, 'closed' | 'privateFields'> {
  readonly limit: number | undefined;
  readonly text: number;
  readonly budget: number;
  readonly masking: Masking;
}

export type DocumentForm = 'json' | 'xml';

/** Masking that follows the secrets: some are added after the start, such as the password of a database. */
export class CurrentMasking {
  readonly #secrets: Secrets;
  readonly #options: Pick<MaskingOptions, 'mask' | 'reveal'>;
  #ofBeans = new Masking();
  #ofOurs = this.#ofBeans;

  constructor(secrets: Secrets, { mask, reveal }: Pick<MaskingOptions, 'mask' | 'reveal'>) {
    this.#secrets = secrets;
    this.#options = { mask, reveal };
  }

  get ofBeans(): Masking {
    this.#refresh();
    return this.#ofBeans;
  }

  /** For our own documents, such as the list: without the rules of the application, which are about its beans. */
  get ofOurs(): Masking {
    this.#refresh();
    return this.#ofOurs;
  }

  #refresh(): void {
    const secrets = this.#secrets.finder();
    if (this.#ofBeans.secrets === secrets) return;
    this.#ofBeans = new Masking({ secrets, ...this.#options });
    this.#ofOurs = new Masking({ secrets });
  }
}

/** How many milliseconds one document may take before it is truncated. */
const budgetMs = 30_000;

/** Short, since an outline blocks the event loop. */
export const outlineBudgetMs = 200;
const maxRows = 2000;

/** Shows beans as documents, outlines and readings, with the configured limits and masking. */
export class Look {
  readonly limits: LookOptions;
  readonly #beans: Beans;
  readonly #masking: CurrentMasking;

  constructor(beans: Beans, masking: CurrentMasking, limits: LookOptions) {
    this.#beans = beans;
    this.#masking = masking;
    this.limits = limits;
  }

  /** Not to be cached: secrets may be added. */
  options(): BeanOptions {
    const { depth, limit, getters, privateFields, views } = this.limits;
    return {
      depth,
      limit: limit || undefined,
      text: defaultText,
      budget: budgetMs,
      getters,
      views,
      privateFields: privateFields ? readPrivateFields : undefined,
      masking: this.#masking.ofBeans,
      closed: this.#beans.closedValues(),
    };
  }

  /** A bean as a document. @param asked options of the query */
  bean(value: unknown, form: DocumentForm, asked: InspectionOptions = {}): Inspection {
    return orNotFound(() => inspect(value, Object.assign(this.options(), asked, { format: form })));
  }

  /** A document of our own, such as the list. */
  ours(value: unknown, form: DocumentForm, asked: InspectionOptions = {}): Inspection {
    return orNotFound(() => inspect(value, { ...asked, format: form, masking: this.#masking.ofOurs }));
  }

  /** A part of a bean as typed rows. */
  outline(value: unknown, asked: OutlineOptions): Outline {
    const expected = expectation(asked.at ?? '', pointer);
    if (expected !== undefined) throw new BeanProblem(400, `at must be ${expected}.`);
    const { text, getters, views, privateFields, masking, closed } = this.options();
    const bounds = { text, getters, budget: outlineBudgetMs, rows: maxRows };
    const names = this.#namesOfOthers(value);
    return orNotFound(() => outline(value, { ...bounds, ...asked, names, views, privateFields, masking, closed }));
  }

  /** The readings of a bean, if a view matches. */
  glance(value: unknown): Glance | undefined {
    const { views, masking, closed } = this.options();
    return glanceOf(value, { views, masking, closed });
  }

  /** Fetches a reading. */
  async ask(value: unknown, reading: string): Promise<GlanceReading> {
    const { views, masking } = this.options();
    const answer = await ask(value, reading, { views, masking });
    if (answer !== undefined) return answer;
    throw notFound('the bean has no such reading; its document with the parameter glance lists all');
  }

  /** Names of the other beans that exist, by value. */
  #namesOfOthers(value: unknown): ReadonlyMap<object, string> {
    const names = new Map<object, string>();
    for (const { name, value: bean } of this.#beans.existing()) {
      const isObject = typeof bean === 'function' || (typeof bean === 'object' && bean !== null);
      if (isObject && bean !== value && !names.has(bean)) names.set(bean, name);
    }
    return names;
  }
}

/** Turns a failure to find the part at `at` into a 404 problem. */
function orNotFound<Result>(show: () => Result): Result {
  try {
    return show();
  } catch (error) {
    if (!(error instanceof InspectError) || error.code !== 'JIG_INSPECTION_PART_MISSING') throw error;
    throw notFound(
      'isUnreached' in error
        ? 'the part was not reached in time; look at entries that come earlier'
        : 'the bean has no such part; look at it without the parameter at',
    );
  }
}
