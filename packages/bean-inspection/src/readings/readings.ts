import type { Reading } from '@jig/inspect';
import { contentBy, pointerTokens, type Quantity, quantityAt, quantityOf, viewOf } from '@jig/inspect/internal';
import { BeanProblem, notFound } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import type { ReadingAddress } from '../options.ts';
import { processBean } from '../sources/process.ts';

/** What a value is now: a boolean is 0 or 1, a container its size. */
export interface ReadingNow {
  readonly value?: number;
  /** Why there is none. */
  readonly fault?: string;
  readonly unit?: string;
  /** The most that it can be. */
  readonly of?: number;
}

type Facts = Pick<Reading, 'unit' | 'metric' | 'attributes' | 'ofMetric' | 'description'>;

/** A reading that can be watched, or is a metric. */
export type ListedReading = { readonly [Name in keyof Required<Facts>]: Facts[Name] | undefined } & {
  readonly bean: string;
  readonly reading: string;
  readonly isSetting: boolean;
};

interface Outcome extends Quantity {
  readonly unit?: string;
  readonly isSetting?: boolean;
  /** How a problem is reported. */
  readonly status?: number;
}

const absences = {
  unknown: { fault: 'there is no bean of that name', status: 404 },
  closed: { fault: 'the bean is closed', status: 403 },
  'not created': { fault: 'the bean does not exist yet, and looking creates nothing', status: 409 },
} as const;

const statuses = { missing: 404, masked: 403, closed: 403, failed: 409, 'no number': 400 } as const;

/** A longer read is slow. */
const longestMs = 20;
/** Any read may be slow once on a busy machine; a longer one counts at once. */
const longestHiccupMs = 200;
/** A slow bean is not read for 50 times as long as its read took. */
const restFactor = 50;
const longestRestMs = 600_000;

/** Reads numbers of beans by their addresses. No bean is traversed or created for it. */
export class Readings {
  readonly #mount: Pick<Mount, 'beans' | 'look'>;
  readonly #now: () => number;
  /** The last slow read of each bean, by its name. */
  readonly #slow = new Map<string, { readonly what: string; readonly tookMs: number; readonly until: number }>();

  constructor(mount: Pick<Mount, 'beans' | 'look'>, now: () => number = () => performance.now()) {
    this.#mount = mount;
    this.#now = now;
  }

  /** The value; throws a problem when there is none that could be watched. */
  check(address: ReadingAddress): ReadingNow {
    if ('at' in address && pointerTokens(address.at) === undefined)
      throw new BeanProblem(400, 'at must be a JSON Pointer such as /a/0/b.');
    const { isSetting, why = 'no number', status = statuses[why], ...now } = this.#outcome(address);
    const fault = isSetting === true ? 'it is a setting, which does not move' : now.fault;
    if (fault === undefined) return now;
    if (status === 404) throw notFound(fault);
    const sentence =
      why === 'failed'
        ? `This cannot be watched now: ${fault.replace(/^\[Threw (.*)\]$/s, 'its getter threw $1')}.`
        : `This cannot be watched: ${fault}.`;
    throw new BeanProblem(status, sentence, { cause: new Error(fault) });
  }

  /** Never throws. */
  read(address: ReadingAddress): ReadingNow {
    try {
      const outcome = this.#outcome(address);
      if (outcome.value !== undefined && outcome.isSetting === undefined) return outcome;
      const { status: _status, why: _why, isSetting: _isSetting, ...now } = outcome;
      return now;
    } catch {
      return { fault: 'the source of the beans failed' };
    }
  }

  /** The readings of all beans that exist and may be seen, without their values. */
  *all(): Generator<ListedReading, void, undefined> {
    for (const { name: bean } of this.#mount.beans.describe()) {
      const found = this.#mount.beans.find(bean);
      if (typeof found === 'string') continue;
      for (const [reading, facts] of Object.entries(this.#readingsIn(found.value))) {
        const { ask, unit, metric, attributes, ofMetric, description, isSetting = false } = facts;
        if (ask !== true && (!isSetting || metric !== undefined))
          yield { bean, reading, unit, metric, attributes, ofMetric, description, isSetting };
      }
    }
  }

  #outcome(address: ReadingAddress): Outcome {
    const { bean } = address;
    const found = this.#mount.beans.find(bean);
    if (typeof found === 'string') return absences[found];
    // The process bean runs no code of the application, so it cannot be slow.
    if (found.value === processBean() && 'reading' in address) return this.#readingOf(found.value, address.reading);
    const slow = this.#slow.get(bean);
    const start = this.#now();
    if (slow !== undefined && start < slow.until)
      return { fault: `reading this bean took ${Math.round(slow.tookMs)} ms, so it is read less often`, status: 503 };
    const outcome =
      'at' in address ? this.#quantityAt(found.value, address.at) : this.#readingOf(found.value, address.reading);
    const end = this.#now();
    const tookMs = end - start;
    const what = 'at' in address ? address.at : address.reading;
    if (tookMs > longestMs) {
      const restMs = slow !== undefined || tookMs > longestHiccupMs ? Math.min(tookMs * restFactor, longestRestMs) : 0;
      this.#slow.set(bean, { what, tookMs, until: end + restMs });
    } else if (slow?.what === what) this.#slow.delete(bean);
    return outcome;
  }

  #quantityAt(value: unknown, pointer: string): Outcome {
    const { masking, getters, closed, views } = this.#mount.look.options();
    return quantityAt(value, pointer, { masking, getters, closed, contentOf: contentBy(views) });
  }

  #readingOf(value: unknown, name: string): Outcome {
    const readings = this.#readingsIn(value);
    const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
    if (reading === undefined) return { fault: 'the bean has no such reading', status: 404 };
    const quantity = quantityOf(name, reading, value as object, this.#mount.look.options().masking);
    const { unit, isSetting } = reading;
    return { ...quantity, ...(isSetting === true && { isSetting }), ...(unit !== undefined && { unit }) };
  }

  #readingsIn(value: unknown): Readonly<Record<string, Reading>> {
    return viewOf(value, this.#mount.look.options().views)?.readings ?? {};
  }
}
