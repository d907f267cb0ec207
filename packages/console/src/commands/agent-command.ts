import { hasConsole } from '@jig/bean-inspection/internal';

/** Adds all applications to a coding agent. Without an installed console, by the path of this one. */
export const agentCommand = () =>
  `claude mcp add jig -- ${hasConsole(process.cwd()) ? 'npx jig' : `node '${process.argv[1]}'`} mcp`;
