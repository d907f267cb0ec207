// Opens a suite and takes the samples that the bench asks for. Arguments: the module, the name of the suite, the context.

import type { Case, Suite } from '../suite.ts';
import type { Reply, SampleRequest } from './in-own-process.ts';

const [module = '', name = '', context = ''] = process.argv.slice(2);
const send = (reply: Reply) => process.send?.(reply);
const attempt = (work: () => Promise<Reply>) =>
  work().then(send, (thrown: unknown) => send({ problem: thrown instanceof Error ? thrown.message : String(thrown) }));

await attempt(async () => {
  const exported = Object.values((await import(module)) as Record<string, Suite>);
  const suite = exported.find((each) => each.name === name);
  if (suite === undefined) throw new Error(`${module} exports no suite ${name}.`);
  const { cases = [] } = await suite.open(JSON.parse(context));
  process.on('message', ({ row, contender }: SampleRequest) => {
    void attempt(async () => ({ sample: (await cases[row]?.[contender]?.sample()) ?? Number.NaN }));
  });
  return {
    // What has no functions in it can be sent.
    cases: cases.map((each) => ({
      ...(JSON.parse(JSON.stringify({ ...each, ours: undefined, reference: undefined, peers: undefined })) as Case),
      hasReference: each.reference !== undefined,
    })),
  };
});
