import { type Announcement, askWithin, spanText } from '@jig/bean-inspection/internal';
import { type Family, groupProcesses } from './processes/families.ts';
import { listProcesses, type NodeProcess } from './processes/node-processes.ts';

/** `jig list` */
export async function printList(isJson: boolean, hasBeans: boolean): Promise<number> {
  const { processes, problem } = await listProcesses();
  console.log(await (isJson ? listAsJson(processes, hasBeans) : listAsText(processes, hasBeans)));
  if (problem === undefined) return 0;
  console.error(`jig: ${problem} Only processes with Jig in them are listed.`);
  return 1;
}

async function listAsJson(processes: readonly NodeProcess[], hasBeans: boolean): Promise<string> {
  const shown = processes.map(async ({ startedAt, instances, ...others }) => ({
    ...others,
    startedAt: new Date(startedAt).toISOString(),
    instances: await Promise.all(instances.map(async (each) => ({ ...each, ...(hasBeans && (await beansOf(each))) }))),
  }));
  return JSON.stringify(await Promise.all(shown), null, 2);
}

async function listAsText(processes: readonly NodeProcess[], hasBeans: boolean): Promise<string> {
  const { withJig, attachable, notAttachable, tools } = groupProcesses(processes);
  const groups = { 'Jig is in it': withJig, 'Can be attached': attachable, 'Cannot be attached': notAttachable };
  const sections: string[] = [];
  for (const [title, families] of Object.entries(groups)) {
    const lines = await Promise.all(families.map((family) => familyLines(family, hasBeans)));
    if (lines.length > 0) sections.push([title, ...lines.flat()].join('\n'));
  }
  if (sections.length === 0) sections.push('No Node process is listed.');
  if (tools > 0) sections.push(`${tools} of editors and tools, such as npm, left out.`);
  return sections.join('\n\n');
}

async function familyLines({ process, workers }: Family, hasBeans: boolean): Promise<readonly string[]> {
  const below = workers.map((worker) => processLines({ ...worker, command: '' }, `  ${worker.label}`, hasBeans));
  return (await Promise.all([processLines(process, process.name, hasBeans), ...below])).flat();
}

async function processLines(process: NodeProcess, name: string, hasBeans: boolean): Promise<readonly string[]> {
  const { pid, node, startedAt, memory, addresses, command, obstacle, instances } = process;
  const facts = [
    `pid ${pid}`,
    node && `Node ${node}`,
    `up ${spanText(Math.max(0, Date.now() - startedAt))}`,
    memory && `${Math.round(memory / 1e6)} MB`,
    ...addresses,
  ];
  const instanceLines = await Promise.all(
    instances.map(async (each) => {
      if (!hasBeans) return each.thread === 0 ? '' : each.label;
      const { beans, problem } = await beansOf(each);
      return problem ?? `${each.label}: ${beans?.join(', ')}`;
    }),
  );
  const indent = /^ */.exec(name)?.[0] ?? '';
  const more = [command, obstacle ?? '', ...instanceLines].filter((line) => line !== '');
  return [`  ${name}  ${facts.filter(Boolean).join('  ')}`, ...more.map((line) => `    ${indent}${printable(line)}`)];
}

/** Command lines and names may contain terminal control characters. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, '\ufffd');

const limits = { ms: 15_000, bytes: 2 ** 24 };

interface Beans {
  readonly beans?: readonly string[];
  readonly problem?: string;
}

/** The names of all beans of an instance, which may have to search for them first, or a sentence that says why there are none. */
async function beansOf({ socket, prefix, label }: Announcement): Promise<Beans> {
  const answered = await askWithin({ socket, path: `${prefix}/bean.json`, headers: {} }, limits);
  if ('fault' in answered) return { problem: `${label} ${answered.fault}.` };
  try {
    const { beans } = JSON.parse(answered.text) as { readonly beans: readonly { readonly name: string }[] };
    return { beans: beans.map(({ name }) => name) };
  } catch {
    return { problem: `${label} answered ${answered.status}.` };
  }
}
