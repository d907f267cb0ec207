import { detach } from '../attach/attach.ts';
import { parseFlags } from '../usage-error.ts';
import { parsePid } from './process-id.ts';

export async function run(args: readonly string[]): Promise<number> {
  console.log(await detach(parsePid(parseFlags(args, {}, true).positionals)));
  return 0;
}
