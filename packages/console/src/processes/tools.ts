import { nodeOptions, type ProcessFacts, scriptOf } from './process-facts.ts';

/** Programs that start, watch or help to write applications, by the name of their script or their process title. */
const names =
  /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack|turbo|nx|lerna|concurrently|nodemon|tsx|ts-node-dev|pm2|forever|jig|claude|codex|gemini|copilot|tsserver|typingsInstaller|tsc|eslint|eslint_d|prettier|prettierd|jest-worker|processChild)(?:-cli|-run|-daemon)?(?:\.[cm]?js)?$/;

/** Where editors, language servers and tools whose script has a common name are installed. */
const places =
  /\/(?:\.vscode(?:-server|-insiders)?|\.cursor(?:-server)?|\.windsurf(?:-server)?|\.zed|\.local\/share\/nvim|JetBrains|Visual Studio Code\.app|tsx\/dist|pm2\/lib|nodemon\/bin|@jig\/console\/bin|packages\/console\/bin)\/|[\w-]*language-?server|langserver/i;

/** Whether a process belongs to an editor or a tool, or is this console itself. */
export function isTool(facts: ProcessFacts): boolean {
  const { args, program, pid } = facts;
  const script = scriptOf(facts) ?? '';
  const [title = ''] = args;
  // A title has replaced the whole command line: `npm run dev`, `PM2 v6.0.0: God Daemon`.
  const named = args.length === 1 ? (title.split(/[ :]/)[0] ?? '').toLowerCase() : script.replace(/^.*\//, '');
  // It runs the application in a child process.
  const isWatching = nodeOptions(facts).some((option) => option.startsWith('--watch'));
  return pid === process.pid || isWatching || names.test(named) || places.test(script) || places.test(program);
}
