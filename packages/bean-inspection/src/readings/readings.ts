import type { Reading, View } from '@jig/inspect';
import {
  contentBy,
  pointerTokens,
  type Quantity,
  type QuantityOptions,
  quantityAt,
  quantityOf,
  viewOf,
} from '@jig/inspect/internal';
import { BeanProblem, notFound } from '../http/problem.ts';
import type { Mount } from '../mount.ts';
import type { ReadingAddress } from '../option-rules.ts';
import { processBean } from '../process/process-bean.ts';
import type { BeanValue } from '../sources/bean-source.ts';

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
  /** How a problem is told, where there is one. */
  readonly status?: number;
}

interface Absence {
  readonly fault: string;
  readonly status: number;
}

/** What all that is read in one turn of the event loop shares. */
interface Turn extends QuantityOptions {
  readonly views: readonly View[];
  readonly beans: Map<string, BeanValue | Absence>;
}

const absences = {
  unknown: { fault: 'there is no bean of that name', status: 404 },
  closed: { fault: 'the bean is closed', status: 403 },
  'not created': { fault: 'the bean does not exist yet, and looking creates nothing', status: 409 },
} as const;

const statuses = { missing: 404, masked: 403, closed: 403, failed: 409, 'no number': 400 } as const;

const none: Readonly<Record<string, Reading>> = {};

/** What is found out again every minute: an object may get the shape of a view, or show something else. */
const knownUntil = (until: number) => ({
  until,
  readings: new WeakMap<object, Readonly<Record<string, Reading>>>(),
});

/** Longer than that, nobody should wait for a number. */
const longestMs = 20;
/** On a busy machine any read may be slow once, but not that slow. */
const longestHiccupMs = 200;
/** A bean that is slow is read for a fiftieth of the time. */
const restFactor = 50;
const longestRestMs = 600_000;

/** Numbers of beans, each by its address alone: no bean is walked through, and none is created. */
export class Readings {
  readonly #mount: Pick<Mount, 'beans' | 'look'>;
  readonly #now: () => number;
  /** What was slow when it was read last, by the name of its bean. */
  readonly #slow = new Map<string, { readonly what: string; readonly tookMs: number; readonly until: number }>();
  #known = knownUntil(0);
  #turn: Turn | undefined;
  #hasRead = false;

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

  /** Those of all beans that exist and may be seen. Reads none of them. */
  *all(): Generator<ListedReading, void, undefined> {
    for (const { name: bean } of this.#mount.beans.describe()) {
      const turn = this.#shared();
      const found = this.#find(bean, turn);
      const readings = 'fault' in found ? none : this.#readingsIn(found.value, turn.views);
      for (const [reading, facts] of Object.entries(readings)) {
        const { ask, unit, metric, attributes, ofMetric, description, isSetting = false } = facts;
        if (ask !== true && (!isSetting || metric !== undefined))
          yield { bean, reading, unit, metric, attributes, ofMetric, description, isSetting };
      }
    }
  }

  #outcome(address: ReadingAddress): Outcome {
    const turn = this.#shared();
    const { bean } = address;
    const found = this.#find(bean, turn);
    if ('fault' in found) return found;
    const slow = this.#slow.get(bean);
    // What runs no code of the application cannot be slow.
    if (found.value === processBean() && !('at' in address)) return this.#told(found, address, turn);
    const start = this.#now();
    if (slow !== undefined && start < slow.until)
      return { fault: `reading this bean took ${Math.round(slow.tookMs)} ms, so it is read less often`, status: 503 };
    const outcome = 'at' in address ? quantityAt(found.value, address.at, turn) : this.#told(found, address, turn);
    const end = this.#now();
    const tookMs = end - start;
    const what = 'at' in address ? address.at : address.reading;
    if (tookMs > longestMs) {
      const rests = slow !== undefined || tookMs > longestHiccupMs;
      this.#slow.set(bean, { what, tookMs, until: end + (rests ? Math.min(tookMs * restFactor, longestRestMs) : 0) });
    } else if (slow?.what === what) this.#slow.delete(bean);
    return outcome;
  }

  #told({ value }: BeanValue, address: ReadingAddress, { masking, views }: Turn): Outcome {
    const name = 'at' in address ? '' : address.reading;
    const readings = this.#readingsIn(value, views);
    const reading = Object.hasOwn(readings, name) ? readings[name] : undefined;
    if (reading === undefined) return { fault: 'the bean has no such reading', status: 404 };
    const quantity = quantityOf(name, reading, value as object, masking);
    const { unit, isSetting } = reading;
    if (unit === undefined && isSetting !== true) return quantity;
    return { ...quantity, ...(isSetting === true ? { isSetting } : {}), ...(unit === undefined ? {} : { unit }) };
  }

  #readingsIn(value: unknown, views: readonly View[]): Readonly<Record<string, Reading>> {
    if (typeof value !== 'object' || value === null) return viewOf(value, views)?.readings ?? none;
    let readings = this.#known.readings.get(value);
    if (readings === undefined) {
      readings = viewOf(value, views)?.readings ?? none;
      this.#known.readings.set(value, readings);
    }
    return readings;
  }

  #find(bean: string, { beans }: Turn): BeanValue | Absence {
    let found = beans.get(bean);
    if (found === undefined) {
      const looked = this.#mount.beans.find(bean);
      found = typeof looked === 'string' ? absences[looked] : looked;
      beans.set(bean, found);
    }
    return found;
  }

  #shared(): Turn {
    if (this.#turn === undefined) {
      const { masking, getters, closed, views } = this.#mount.look.options();
      this.#turn = { masking, getters, closed, views, contentOf: contentBy(views), beans: new Map() };
      // What is done for the first time takes long, for which no bean is to blame.
      if (!this.#hasRead) quantityAt({ count: 1 }, '/count', this.#turn);
      this.#hasRead = true;
      const now = this.#now();
      if (now >= this.#known.until) this.#known = knownUntil(now + 60_000);
      queueMicrotask(() => {
        this.#turn = undefined;
      });
    }
    return this.#turn;
  }
}
