import { readFileSync } from 'node:fs';

/** What the build writes for the address of the package that has the files of pages. */
const placeholder = 'file:///jig/dist/agent.cjs';

/** The agent as the text of a function of `module`, `exports` and `require`, which needs only what Node has. */
export function agentSource(): string {
  const own = import.meta.resolve('@jig/console/package.json');
  const files = import.meta.resolve('@jig/bean-inspection');
  const text = readFileSync(new URL('dist/agent.cjs', own), 'utf8').replaceAll(placeholder, files);
  return `(function (module, exports, require) {${text}\n})\n//# sourceURL=jig-agent.cjs`;
}
