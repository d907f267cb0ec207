import { hasConsole } from '@jig/bean-inspection/internal';

/** How to start this command again: by its path if the console is not installed. */
export const ownCommand = () => (hasConsole(process.cwd()) ? 'npx jig' : `node '${process.argv[1]}'`);
