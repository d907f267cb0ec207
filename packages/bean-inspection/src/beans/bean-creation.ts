import type { BeanDescription, BeanValue } from '../sources/bean-source.ts';

/** Why a look does not show a bean that does not exist, and what creating it does. */
export interface Absence {
  readonly why: string;
  readonly creating: string;
}

export function absenceOf({ scope, instantiated }: Pick<BeanDescription, 'scope' | 'instantiated'>): Absence {
  const runs = 'runs its constructor or factory, and those of what it needs';
  if (scope === 'request' || scope === 'session' || scope === 'transient')
    return {
      why: `There is one of this bean for each ${scope === 'transient' ? 'use' : scope}`,
      creating: `Creating one ${runs}. It is shown once, and not kept for another look.`,
    };
  if (instantiated === 'unknown')
    return {
      why: 'Whether this bean exists cannot be told without asking for it',
      creating: `Asking for it ${runs}, where that did not happen yet.`,
    };
  return {
    why: 'This bean does not exist yet',
    creating: `Creating it ${runs}, as the application would.`,
  };
}

/** What ended the wait for a bean: the deadline, or the client, who has left. */
export type EndOfWait = 'deadline' | 'left';

/** Waits for a bean that is being created, which goes on whatever ends the wait. */
export function waitForBean(
  coming: Promise<BeanValue>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<BeanValue | EndOfWait> {
  return new Promise((resolve, reject) => {
    const leave = () => end('left');
    const timer = setTimeout(() => end('deadline'), timeoutMs);
    const stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    };
    const end = (result: BeanValue | EndOfWait) => {
      stop();
      resolve(result);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    coming.then(end, (error: unknown) => {
      stop();
      reject(error);
    });
  });
}
