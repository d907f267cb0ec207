import { fileURLToPath } from 'node:url';

/** What runs inside other processes, as one file; the path is the same from the sources as from what is built of them. */
export const agentFile = fileURLToPath(new URL('../dist/agent.cjs', import.meta.url));
