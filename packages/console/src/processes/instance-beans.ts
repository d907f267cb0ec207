import type { IncomingMessage } from 'node:http';
import { type Announcement, ask, type PassedRequest } from '@jig/bean-inspection/internal';

/** What an instance answers to one request at most. */
const longestAnswer = 20_000_000;

interface InstanceRequest extends Partial<PassedRequest> {
  /** Below the prefix of the instance. */
  readonly path: string;
  /** How long it has: its event loop may be blocked. */
  readonly timeoutMs: number;
}

/** Asks an instance over its socket; gives the status and the whole answer. Rejects with a sentence. */
export async function askInstance(
  { socket, label, prefix }: Announcement,
  { path, signal, timeoutMs, method = 'GET', headers = {}, body }: InstanceRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    const both = signal === undefined ? patience : AbortSignal.any([patience, signal]);
    const answer = await ask({ socket }, { method, path: prefix + path, headers, body, signal: both });
    return { status: answer.statusCode ?? 0, text: await textOf(answer) };
  } catch (error) {
    if (patience.aborted) throw new Error(`${label} did not answer within ${timeoutMs / 1000} s; it may be busy.`);
    throw new Error(`${label} does not answer (${(error as Error).message}); it may have ended.`);
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestAnswer) throw new Error('the answer is too long');
  }
  return text;
}

/** The names of all beans of an instance, or a sentence that says why they are not known. */
export async function namesOfBeans(instance: Announcement): Promise<readonly string[] | string> {
  try {
    const { status, text } = await askInstance(instance, { path: '/bean.json', timeoutMs: 2000 });
    if (status !== 200) return `${instance.label} answered ${status}.`;
    return (JSON.parse(text) as { readonly beans: readonly { readonly name: string }[] }).beans.map(({ name }) => name);
  } catch (error) {
    return (error as Error).message;
  }
}
