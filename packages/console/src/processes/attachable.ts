import { nodeOptions, type ProcessFacts, programName } from './process-facts.ts';

/** Whether a version of Node satisfies `engines` of all packages. */
function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major === 20 ? minor >= 19 : major === 22 ? minor >= 12 : major > 22;
}

/** Where the debugger of a process opens when SIGUSR1 tells it to; port 0 is any. */
export function inspectorOf(facts: ProcessFacts): { readonly host: string; readonly port: number } {
  const pattern = /^--(?:inspect(?:-brk|-wait|-port)?|debug-port)=(.+)$/;
  const named = nodeOptions(facts).flatMap((option) => pattern.exec(option)?.[1] ?? []);
  const [, alone, host = '127.0.0.1', port = alone ?? '9229'] =
    /^(?:(\d+)|(.+?)(?::(\d+))?)$/.exec(named.at(-1) ?? '') ?? [];
  return { host, port: Number(port) };
}

export const isLoopback = (host: string) => /^(?:127\.[\d.]+|localhost|\[?::1\]?)$/.test(host);

/**
 * Why a process cannot be attached to, and what to do instead; undefined when it can. Call this before sending SIGUSR1, which opens the
 * debugger of Node, but ends every process that does not catch it.
 * @param node the version of Node, if known
 */
export function attachObstacle(facts: ProcessFacts, node?: string): string | undefined {
  const { pid, uid, isStopped = false, onSigusr1 } = facts;
  const name = programName(facts.program);
  const options = nodeOptions(facts);
  const option = (pattern: RegExp) => options.find((each) => pattern.test(each));
  if (uid !== process.getuid?.()) return 'It belongs to another user. Attach as that user.';
  if (!name.startsWith('node')) return `It runs ${name || 'another program'}, not Node: the signal would end it.`;
  if (node !== undefined && !isSupported(node))
    return `Node ${node.replace(/^v?(\d+).*/, '$1')} is too old. Jig needs 20.19, 22.12 or newer.`;
  const permission = option(/^--(?:experimental-)?permission$/);
  if (permission !== undefined) return `It was started with ${permission}, which closes its debugger.`;
  const disabled = option(/^--disable-sigusr1$/);
  if (disabled !== undefined) return `It was started with ${disabled}. Start it without, or with Jig.`;
  if (onSigusr1 === undefined) return 'This system does not tell whether the signal would end it. Start it with Jig.';
  if (isStopped) return `It is stopped. Let it continue (kill -CONT ${pid}), then attach.`;
  const { host } = inspectorOf(facts);
  if (!isLoopback(host))
    return `Its debugger would open on ${host}, for other machines too. Start it without that address.`;
  if (onSigusr1 === 'catches') return undefined;
  return `It does not catch SIGUSR1: the signal would ${onSigusr1 === 'ignores' ? 'do nothing' : 'end it'}. Start it with Jig.`;
}
