/** What the system tells of a process. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parentPid: number;
  /** Whose it is. */
  readonly uid: number;
  /** The path of the program; empty where the system does not tell. */
  readonly program: string;
  /** The command line, the program included. A process may have replaced it by a title. */
  readonly args: readonly string[];
  readonly folder?: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Resident, in bytes. */
  readonly memory: number;
  /** Used since the start. */
  readonly cpuSeconds: number;
  /** Where it listens, such as `127.0.0.1:3000`. */
  readonly addresses: readonly string[];
  /** Whether it was stopped, by SIGSTOP or a debugger. */
  readonly isStopped?: boolean | undefined;
  /** What it does on SIGUSR1; undefined where the system does not tell. By default, the signal ends a process. */
  readonly onSigusr1?: 'catches' | 'ignores' | 'ends' | undefined;
  /** The few variables that matter here, as they were at its start. */
  readonly environment: ProcessEnvironment;
}

const variables = ['NODE_ENV', 'NODE_OPTIONS', 'NODE_UNIQUE_ID'] as const;

export type ProcessEnvironment = { readonly [Name in (typeof variables)[number]]?: string };

/** Those variables in a list of `NAME=value`. */
export function pickVariables(list: readonly string[]): ProcessEnvironment {
  const named = variables.flatMap((name) => {
    const found = list.find((entry) => entry.startsWith(`${name}=`));
    return found === undefined ? [] : [[name, found.slice(name.length + 1)]];
  });
  return Object.fromEntries(named);
}

/** The path of a program without what Linux adds when the file has been replaced, as by an update. */
export const withoutMark = (program: string) => program.replace(/ \(deleted\)$/, '');

/** The name of a program without its folder. */
export const programName = (program: string) => withoutMark(program).replace(/^.*\//, '');

/** Whether a program runs JavaScript outside of a browser: Node, or one that does the same. */
export const runsJavaScript = (program: string) => /^(?:node|nodejs|bun|deno)(?:[-\d.]*)$/.test(programName(program));

/** Options of Node whose value is the next argument. */
const withValue = /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--title)$/;

/** Options of Node, before its script. */
export function nodeOptions({ args }: Pick<ProcessFacts, 'args'>): readonly string[] {
  const script = scriptIndex(args);
  return args.slice(1, script === -1 ? undefined : script);
}

/** The script that Node runs; undefined for `node --eval` and the like. */
export const scriptOf = ({ args }: Pick<ProcessFacts, 'args'>): string | undefined => args[scriptIndex(args)];

function scriptIndex(args: readonly string[]): number {
  for (let index = 1; index < args.length; index++) {
    const arg = args[index] ?? '';
    if (/^(?:-[ep]+|--eval|--print)$/.test(arg)) return -1;
    if (!arg.startsWith('-')) return index;
    if (withValue.test(arg)) index++;
  }
  return -1;
}
