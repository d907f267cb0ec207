import { readFileSync } from 'node:fs';

/** The source of the agent: a function of `module`, `exports` and `require` that needs only modules of Node. */
export function agentSource(): string {
  const own = import.meta.resolve('@jig/console/package.json');
  const text = readFileSync(new URL('dist/agent.cjs', own), 'utf8');
  return `(function (module, exports, require) {${text}\n})\n//# sourceURL=jig-agent.cjs`;
}
