import { types } from 'node:util';
import { type ProxyParts, readProxy } from '../inner-session.ts';
import { dataProperty, mayHaveEntries, ownProperty } from '../objects/reflection.ts';
import { prisma } from './databases.ts';

/** Cached targets, which never change; undefined for unknown proxies. */
const targets = new WeakMap<object, object | undefined>();

/**
 * The target of a proxy of MobX, Vue, Immer or Prisma, read through Node's inspector: no trap runs, so nothing is tracked. Undefined
 * for other proxies, whose traps may show something else than the target.
 */
export function unwrapped(proxy: object): object | undefined {
  if (targets.has(proxy)) return targets.get(proxy);
  const parts = readProxy(proxy);
  const draft = parts === undefined ? undefined : draftOf(parts);
  if (draft !== undefined) return draft;
  const target = parts !== undefined && isReactive(parts) ? parts.target : undefined;
  // A readonly proxy of Vue wraps another one.
  const raw = target !== undefined && types.isProxy(target) ? unwrapped(target) : target;
  targets.set(proxy, raw);
  return raw;
}

/** Whether its target is the state, as in Vue, MobX and Prisma. */
function isReactive({ target, handler }: ProxyParts): boolean {
  if (types.isProxy(handler)) return false;
  const get = dataProperty(handler, 'get');
  if (typeof get === 'function' && !types.isProxy(get) && Function.prototype.toString.call(get).includes('__v_raw'))
    return true;
  if (types.isProxy(target)) return false;
  if (prisma.matches(target)) return true;
  return Object.getOwnPropertySymbols(target).some(({ description }) => description === 'mobx administration');
}

/** The current state of a draft of Immer, whose minified build has other names. */
function draftOf({ target }: ProxyParts): object | undefined {
  if (types.isProxy(target)) return undefined;
  const state: unknown = Array.isArray(target) ? ownProperty(target, 0)?.value : target;
  if (typeof state !== 'object' || state === null || types.isProxy(state)) return undefined;
  const [base, copy, scope] = ['base_', 'copy_', 'scope_'].map((name) => ownProperty(state, name)?.value as unknown);
  if (!mayHaveEntries(scope)) return undefined;
  return [copy, base].find(mayHaveEntries);
}
