import { hostError } from '../errors.ts';

const scopes: readonly unknown[] = [undefined, 'singleton', 'request', 'session'];
const steps = ['start', 'stop'] as const;

/** Refuses what types would: an application in JavaScript has none, and would meet the mistake much later, in some other place. */
export function checkDefinition(owner: string, name: string, definition: unknown): void {
  const why = whyNot(definition);
  if (why === undefined) return;
  throw hostError('JIG_BEAN_DEFINITION_INVALID', `${owner} defines the bean ${name} ${why}.`, {
    fields: { bean: name, owner },
  });
}

function whyNot(definition: unknown): string | undefined {
  if (typeof definition !== 'object' || definition === null)
    return 'without a definition; give one such as { type, create }';
  const given = definition as Readonly<Record<string, unknown>>;
  if (typeof given.type !== 'string' || given.type === '') return 'without a type; give the name of its class as type';
  if (typeof given.create !== 'function') return 'without a function create; it makes the bean';
  if (!scopes.includes(given.scope)) return 'with a scope that there is not; it is singleton, request or session';
  if (given.needs !== undefined && !Array.isArray(given.needs))
    return 'with needs that are no list; give names of beans';
  const wrong = steps.find((step) => given[step] !== undefined && typeof given[step] !== 'function');
  return wrong === undefined ? undefined : `with a ${wrong} that is no function; give a function or leave it out`;
}
