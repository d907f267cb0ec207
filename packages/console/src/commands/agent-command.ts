import { hasConsole } from '@jig/bean-inspection/internal';

/** The line that adds all applications to a coding agent: the plain name `jig` on npm belongs to somebody else. */
export const agentCommand = () =>
  `claude mcp add jig -- npx ${hasConsole(process.cwd()) ? 'jig' : '--yes @jig/console'} mcp`;
