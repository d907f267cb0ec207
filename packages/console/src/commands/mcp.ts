import { consoleMcpServer } from '../mcp/console-tools.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { parseFlags } from '../usage-error.ts';
import { version } from '../version.ts';

export async function run(args: readonly string[]): Promise<number> {
  parseFlags(args, {});
  await serveStdio(consoleMcpServer(version), process.stdin, process.stdout);
  return 0;
}
