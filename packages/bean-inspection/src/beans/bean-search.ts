import type { FindHit } from '@jig/inspect';
import { matchIn, OpenSearch } from '@jig/inspect/internal';
import { cpuMs } from '../sources/process.ts';
import type { Beans } from './beans.ts';
import type { Look } from './look.ts';

/** A hit in a bean. Hits in its name or type have the pointer of the root. */
export interface BeanHit extends Omit<FindHit, 'in'> {
  readonly in: FindHit['in'] | 'name';
}

/** A bean with hits. */
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

/** CPU time of a search, including other work of the event loop between its slices. */
const findBudgetMs = 2000;
const findLimit = 500;
const findLimitPerBean = 50;

/** Searches names and types of all open beans, and the masked documents of those that exist. Creates no bean. */
export async function findBeans(
  { beans: all, look }: { readonly beans: Beans; readonly look: Look },
  text: string,
  signal: AbortSignal,
): Promise<FoundBeans> {
  const { limit: _limit, budget: _budget, ...options } = look.options();
  const existing = new Map(Array.from(all.existing(), ({ name, value }) => [name, { value }]));
  const searches = all.describe().map(({ name, type }) => {
    const found = existing.get(name);
    const search = found && new OpenSearch(found.value, text, { ...options, limit: findLimitPerBean });
    return { name, type, search };
  });
  await searchAll(
    searches.flatMap(({ search }) => search ?? []),
    () => signal.aborted,
  );
  const beans: FoundBean[] = [];
  const unsearched: string[] = [];
  let hitsLeft = findLimit;
  let isComplete = true;
  for (const { name, type, search } of searches) {
    const facts = factHits({ name, type }, text);
    const result = search?.result;
    const found = result?.hits.slice(0, hitsLeft) ?? [];
    const isSearched = result?.isComplete === true && found.length === result.hits.length;
    if (!isSearched) unsearched.push(name);
    isComplete &&= isSearched || result === undefined;
    hitsLeft -= found.length;
    const hits = mergedHits(facts, found);
    if (hits.length > 0) beans.push({ name, type, hits });
  }
  return { beans, unsearched, isComplete };
}

/** Runs until all searches are done, time is up, there are enough hits or the client has disconnected. */
async function searchAll(searches: readonly OpenSearch[], isAbandoned: () => boolean): Promise<void> {
  const end = cpuMs() + findBudgetMs;
  let hits = 0;
  try {
    for (let pending = searches; pending.length > 0; ) {
      const unfinished: OpenSearch[] = [];
      for (const [index, search] of pending.entries()) {
        // A share of the remaining time, so that a large bean leaves some for the next.
        const budget = (end - cpuMs()) / (pending.length - index);
        if (budget <= 0 || isAbandoned() || hits >= findLimit) return;
        const before = search.result.hits.length;
        if (!(await search.work(budget))) unfinished.push(search);
        hits += search.result.hits.length - before;
      }
      // Incomplete searches share the time that others did not use.
      pending = unfinished;
    }
  } finally {
    for (const search of searches) search.end();
  }
}

/** Hits in the name and the type. */
function factHits(facts: Readonly<Record<'name' | 'type', string>>, text: string): BeanHit[] {
  return (['name', 'type'] as const).flatMap((fact) => {
    const match = matchIn(facts[fact], text.toLowerCase());
    return match === undefined ? [] : [{ pointer: '', in: fact, ...match }];
  });
}

/** The type of a bean is mostly the class of its value: a hit in both is listed once. */
function mergedHits(facts: readonly BeanHit[], found: readonly FindHit[]): BeanHit[] {
  const isTyped = found.some(({ pointer, in: where }) => pointer === '' && where === 'type');
  return [...facts.filter((hit) => hit.in === 'name' || !isTyped), ...found];
}
