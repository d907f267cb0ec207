import { readFileSync } from 'node:fs';

/** The agent as the text of a function of `module`, `exports` and `require`, which needs only what Node has. */
export function agentSource(): string {
  const own = import.meta.resolve('@jig/console/package.json');
  const text = readFileSync(new URL('dist/agent.cjs', own), 'utf8');
  return `(function (module, exports, require) {${text}\n})\n//# sourceURL=jig-agent.cjs`;
}
