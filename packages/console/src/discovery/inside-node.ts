import Module from 'node:module';
import timers from 'node:timers';
import { types } from 'node:util';
import { dataProperty, type InnerSession } from '@jig/inspect/internal';
import { isObject, own } from './object-kinds.ts';

// What only functions of Node see: the inspector shows it without running any. In a Node that has it elsewhere, it is not found.

/** The ES modules that have been linked: `import()` of one that is not loaded would run it. */
export function* loadedEsModules(session: InnerSession): Generator<readonly [url: string, exports: object]> {
  const loader = seenBy(session, Module.register, 'cascadedLoader');
  const modules = isObject(loader) ? own(loader, 'loadCache') : undefined;
  if (!types.isMap(modules)) return;
  for (const [url, byType] of Map.prototype.entries.call(modules) as MapIterator<[string, object]>)
    for (const job of Object.values(byType)) {
      const exports = isObject(job) ? namespaceOf(own(job, 'module')) : undefined;
      if (exports !== undefined) yield [url, exports];
    }
}

function namespaceOf(module: unknown): object | undefined {
  const getNamespace = isObject(module) ? dataProperty(module, 'getNamespace') : undefined;
  try {
    return typeof getNamespace === 'function' ? (getNamespace.call(module) as object) : undefined;
  } catch {
    // It is not linked yet.
    return undefined;
  }
}

const mostTimers = 1000;

/** What timers will call, and with what. */
export function* timerCallbacks(session: InnerSession): Generator<unknown> {
  const lists = seenBy(session, timers.setTimeout, 'timerListMap');
  let count = 0;
  for (const list of isObject(lists) ? Object.values(lists) : [])
    for (let timer = own(list, '_idleNext'); isObject(timer) && timer !== list; timer = own(timer, '_idleNext')) {
      if (++count > mostTimers) return;
      yield own(timer, '_onTimeout');
      yield own(timer, '_timerArgs');
    }
}

/** A variable of the module of Node that a function is in, unless somebody has replaced the function. */
function seenBy(session: InnerSession, code: object, variable: string): unknown {
  if (types.isProxy(code)) return undefined;
  const { variables = {} } = session.detailsOf(code).scopes.at(-1) ?? {};
  return own(variables, variable);
}
