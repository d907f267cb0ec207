import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case, Contender, Suite } from '../suite.ts';

/** What the process is asked for: a sample of one contender. */
export interface SampleRequest {
  readonly row: number;
  readonly contender: 'ours' | 'reference';
}

/** What it sends: its cases when it has started, then samples. */
export type Reply =
  | { readonly cases: readonly CaseHead[] }
  | { readonly sample: number }
  | { readonly problem: string };

/** A case without its contenders. */
interface CaseHead extends Omit<Case, 'ours' | 'reference' | 'peers'> {
  readonly hasReference: boolean;
}

const runner = fileURLToPath(new URL('runner.ts', import.meta.url));

/**
 * The same suite, measured in a process of its own, which collects no garbage but its own.
 * The module exports the suite. Only for cases, and without peers.
 */
export function inOwnProcess(suite: Suite, module: URL): Suite {
  return {
    ...suite,
    async open(context) {
      const options = { cwd: dirname(runner), execArgv: ['--import', 'tsx'] };
      const child = fork(runner, [module.href, suite.name, JSON.stringify(context)], options);
      const ended = once(child, 'exit').then(([code]): never => {
        throw new Error(`The process of the suite ended with ${code}.`);
      });
      ended.catch(() => {});
      const reply = async (): Promise<Reply> => {
        const [message] = (await Promise.race([once(child, 'message'), ended])) as [Reply];
        if ('problem' in message) throw new Error(message.problem);
        return message;
      };
      const ask =
        (request: SampleRequest): Contender['sample'] =>
        async () => {
          child.send(request);
          const message = await reply();
          return 'sample' in message ? message.sample : Number.NaN;
        };
      const started = await reply();
      const heads = 'cases' in started ? started.cases : [];
      return {
        cases: heads.map(({ hasReference, ...head }, row) => ({
          ...head,
          ours: { sample: ask({ row, contender: 'ours' }) },
          ...(hasReference ? { reference: { sample: ask({ row, contender: 'reference' }) } } : {}),
        })),
        close: async () => {
          child.disconnect();
          await ended.catch(() => {});
        },
      };
    },
  };
}
