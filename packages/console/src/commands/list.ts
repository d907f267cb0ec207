import { spanText } from '@jig/bean-inspection/internal';
import { type Family, groupProcesses } from '../processes/families.ts';
import { namesOfBeans } from '../processes/instance-beans.ts';
import { listProcesses, type NodeProcess } from '../processes/node-processes.ts';
import { parseFlags } from '../usage-error.ts';

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseFlags(args, { json: { type: 'boolean' }, beans: { type: 'boolean' } });
  const { processes, problem } = await listProcesses();
  const beans = values.beans ? await beansOf(processes) : undefined;
  console.log(values.json ? asJson(processes, beans) : asText(processes, beans));
  if (problem === undefined) return 0;
  console.error(`jig: ${problem} Only processes with Jig in them are listed.`);
  return 1;
}

/** The names of beans, or why there are none, by the socket of an instance. */
type Beans = ReadonlyMap<string, readonly string[] | string>;

async function beansOf(processes: readonly NodeProcess[]): Promise<Beans> {
  const instances = processes.flatMap((each) => each.instances);
  return new Map(await Promise.all(instances.map(async (each) => [each.socket, await namesOfBeans(each)] as const)));
}

function asJson(processes: readonly NodeProcess[], beans: Beans | undefined): string {
  const shown = processes.map(({ startedAt, instances, ...others }) => ({
    ...others,
    startedAt: new Date(startedAt).toISOString(),
    instances: instances.map((each) => ({ ...each, ...(beans && beansOrProblem(beans.get(each.socket))) })),
  }));
  return JSON.stringify(shown, null, 2);
}

const beansOrProblem = (beans: readonly string[] | string = []) =>
  typeof beans === 'string' ? { problem: beans } : { beans };

function asText(processes: readonly NodeProcess[], beans: Beans | undefined): string {
  const { withJig, attachable, notAttachable, tools } = groupProcesses(processes);
  const groups = [
    ['Jig is in it', withJig],
    ['Can be attached', attachable],
    ['Cannot be attached', notAttachable],
  ] as const;
  const written = groups
    .filter(([, families]) => families.length > 0)
    .map(([title, families]) => `${title}\n${families.flatMap((family) => familyLines(family, beans)).join('\n')}`);
  const left = tools.length === 0 ? [] : [`${tools.length} of editors and tools, such as npm, left out.`];
  return [...(written.length === 0 ? ['No Node process is listed.'] : written), ...left].join('\n\n');
}

const familyLines = ({ process, workers }: Family, beans: Beans | undefined) => [
  ...processLines(process, process.name, beans),
  ...workers.flatMap((worker) => processLines({ ...worker, command: '' }, `  ${worker.label}`, beans)),
];

function processLines(process: NodeProcess, name: string, beans: Beans | undefined): readonly string[] {
  const { pid, node, startedAt, memory, addresses, command, obstacle, instances } = process;
  const facts = [
    `pid ${pid}`,
    node && `Node ${node}`,
    `up ${spanText(Math.max(0, Date.now() - startedAt))}`,
    memory && `${Math.round(memory / 1e6)} MB`,
    ...addresses,
  ];
  const more = [
    command,
    obstacle,
    ...instances.flatMap((each) => {
      const names = beans?.get(each.socket);
      if (names === undefined) return each.thread === 0 ? [] : [each.label];
      return [`${each.label}: ${typeof names === 'string' ? names : names.join(', ')}`];
    }),
  ];
  const indent = /^ */.exec(name)?.[0] ?? '';
  return [
    `  ${name}  ${facts.filter(Boolean).join('  ')}`,
    ...more.filter(Boolean).map((line) => `    ${indent}${printable(line ?? '')}`),
  ];
}

/** Command lines and names may hold what a terminal would obey. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, '\ufffd');
