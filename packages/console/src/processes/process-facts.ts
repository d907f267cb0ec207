/** What the operating system knows about a process. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parentPid: number;
  /** The id of the user that it runs as. */
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
  /** Where it listens, such as `127.0.0.1:3000`. */
  readonly addresses: readonly string[];
  /** Whether it was stopped, by SIGSTOP or a debugger. */
  readonly isStopped?: boolean | undefined;
  /** What it does on SIGUSR1; undefined where the system does not tell. By default, the signal ends a process. */
  readonly onSigusr1?: 'catches' | 'ignores' | 'ends' | undefined;
  /** Its environment variables, as they were at its start. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The path of a program without the mark that Linux adds when its file was replaced, as by an update. */
export const withoutMark = (program: string) => program.replace(/ \(deleted\)$/, '');

/** The name of a program without its folder. */
export const programName = (program: string) => withoutMark(program).replace(/^.*\//, '');

/** Whether a program runs JavaScript outside of a browser: Node, or one that does the same. */
export const runsJavaScript = (program: string) => /^(?:node|nodejs|bun|deno)(?:[-\d.]*)$/.test(programName(program));

/** Options of Node whose value is the next argument, unless it follows `=`. */
const withValue =
  /^(?:-[rC]|--(?:require|import|loader|experimental-loader|conditions|title|env-file(?:-if-exists)?|inspect-port|debug-port|inspect-publish-uid|max-http-header-size|dns-result-order|icu-data-dir|input-type|experimental-default-type|openssl-config|tls-(?:cipher-list|keylog)|redirect-warnings|report-(?:dir|directory|filename|signal)|disable-(?:warning|proto)|trace-event-.*|unhandled-rejections|diagnostic-dir|(?:cpu|heap)-prof-(?:dir|name|interval)|heapsnapshot-.*|secure-heap.*|localstorage-file|allow-fs-.*|watch-(?:path|kill-signal)|v8-pool-size|use-largepages|(?:experimental-)?test-isolation|test-(?:concurrency|coverage-.*|global-setup|name-pattern|random-seed|reporter(?:-destination)?|rerun-failures|shard|skip-pattern|timeout)|network-family-autoselection-attempt-timeout|experimental-(?:config-file|policy|sea-config)|policy-integrity|security-revert|snapshot-blob|build-snapshot-config|trace-require-module))$/;

/**
 * The options of a Node process, normalized to `--name=value`: Node reads `_` as `-`, and takes a value from the next argument. Those of
 * NODE_OPTIONS come first, so that the last one wins, as in Node.
 */
export function nodeOptions({ args, environment }: Pick<ProcessFacts, 'args' | 'environment'>): readonly string[] {
  const { options } = readCommandLine(args);
  return [...readCommandLine(['node', ...splitOptions(environment.NODE_OPTIONS ?? '')]).options, ...options];
}

/** The script that Node runs; undefined for `node --eval` and the like. */
export const scriptOf = ({ args }: Pick<ProcessFacts, 'args'>): string | undefined => readCommandLine(args).script;

/** `NODE_OPTIONS` is split at blanks, apart from those in double quotes, where a backslash stands for the next letter. */
const splitOptions = (text: string) =>
  (text.match(/(?:"(?:\\.|[^"\\])*"|[^ "])+/gs) ?? []).map((each) =>
    each.replace(/"((?:\\.|[^"\\])*)"/gs, (_quoted, inside: string) => inside.replace(/\\(.)/gs, '$1')),
  );

function readCommandLine(args: readonly string[]): { readonly options: readonly string[]; readonly script?: string } {
  const options: string[] = [];
  for (let index = 1; index < args.length; index++) {
    const [, given = '', value] = /^([^=]*)(=.*)?$/s.exec(args[index] ?? '') ?? [];
    if (!given.startsWith('-')) return { options, script: args[index] ?? '' };
    const name = given.replaceAll('_', '-');
    if (/^(?:-[ep]+|--eval|--print|-|--)$/.test(name)) {
      const script = name === '--' ? args[index + 1] : undefined;
      return script === undefined ? { options } : { options, script };
    }
    options.push(name + (value ?? (withValue.test(name) ? `=${args[++index] ?? ''}` : '')));
  }
  return { options };
}
