import { isDeadlineError, withDeadline } from '../deadline.ts';
import { errorMessage, hasJigCode, hostError, type JigError } from '../errors.ts';
import type { SingletonDefinition } from './definition.ts';
import type { BeanRegistry } from './registry.ts';

interface Started {
  readonly name: string;
  readonly bean: unknown;
  readonly definition: SingletonDefinition<unknown>;
}

export interface BeanDeadlines {
  readonly startTimeout: number;
  readonly stopTimeout: number;
}

/** Stops each bean before those it depends on, even if some fail. Returns the failures. */
export type StopBeans = () => Promise<readonly JigError[]>;

/** Starts the beans that have a `start`, each after those it depends on. If one fails, those before it are stopped. */
export async function startBeans(
  registry: BeanRegistry,
  deadlines: BeanDeadlines,
  abortSignal?: AbortSignal,
): Promise<StopBeans> {
  registry.instantiateStartable();
  const started: Started[] = [];
  for (const bean of registry.singletons()) {
    try {
      await start(bean, deadlines, abortSignal);
    } catch (error) {
      await stopAll(started, deadlines);
      throw error;
    }
    started.push(bean);
  }
  let stopping: Promise<readonly JigError[]> | undefined;
  return () => {
    stopping ??= stopAll(withLazilyCreated(registry, started), deadlines);
    return stopping;
  };
}

/** A singleton that was created after the start is stopped too. */
function withLazilyCreated(registry: BeanRegistry, started: readonly Started[]): readonly Started[] {
  const names = new Set(started.map(({ name }) => name));
  return [...started, ...registry.singletons().filter(({ name }) => !names.has(name))];
}

async function start(started: Started, deadlines: BeanDeadlines, abortSignal: AbortSignal | undefined): Promise<void> {
  const { name, bean, definition } = started;
  if (definition.start === undefined) return;
  let running: Promise<void> | undefined;
  const begin = (signal: AbortSignal) => {
    running = Promise.resolve(definition.start?.(bean, signal));
    return running;
  };
  const milliseconds = definition.startTimeout ?? deadlines.startTimeout;
  try {
    await withDeadline('it', milliseconds, begin, abortSignal);
  } catch (error) {
    // An aborted start may hold resources such as a process: it gets the time of a stop to release them.
    const releaseTimeout = definition.stopTimeout ?? deadlines.stopTimeout;
    const hasStarted = await withDeadline(`Aborting the start of the bean ${name}`, releaseTimeout, () =>
      running?.then(() => true),
    ).catch(() => false);
    if (hasStarted) await stopAll([started], deadlines);
    if (hasJigCode(error) && !isDeadlineError(error)) throw error;
    const sentence = `The bean ${name} did not start: ${reason(error, 'startTimeout', definition)}`;
    throw hostError('JIG_BEAN_START_FAILED', sentence, { cause: error, fields: { bean: name } });
  }
}

async function stopAll(started: readonly Started[], deadlines: BeanDeadlines): Promise<readonly JigError[]> {
  const failures: JigError[] = [];
  for (const { name, bean, definition } of [...started].reverse()) {
    if (definition.stop === undefined) continue;
    try {
      const milliseconds = definition.stopTimeout ?? deadlines.stopTimeout;
      await withDeadline('it', milliseconds, () => definition.stop?.(bean));
    } catch (error) {
      const sentence = `The bean ${name} did not stop: ${reason(error, 'stopTimeout', definition)}`;
      failures.push(hostError('JIG_BEAN_STOP_FAILED', sentence, { cause: error, fields: { bean: name } }));
    }
  }
  return failures;
}

/** Why a bean failed, and which setting gives it more time unless it has a deadline of its own. */
function reason(error: unknown, deadline: keyof BeanDeadlines, definition: Partial<BeanDeadlines>): string {
  const hint =
    isDeadlineError(error) && definition[deadline] === undefined ? ` application.${deadline} allows more.` : '';
  return `${errorMessage(error)}${hint}`;
}
