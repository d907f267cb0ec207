import { createInterface } from 'node:readline';
import { isObject } from '@jig/bean-inspection/internal';
import { consoleMcpServer } from './console-tools.ts';

/** `jig mcp`: over standard input and output, one message in each line (MCP, "stdio"); ends with the input. */
export async function serveAgent(version: string): Promise<number> {
  const server = consoleMcpServer(version);
  const running = new Map<unknown, AbortController>();
  const answers = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const message = parse(line);
    const params = isObject(message.params) ? message.params : {};
    if (message.method === 'notifications/cancelled') running.get(params.requestId)?.abort();
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) running.set(id, controller);
    const { signal } = controller;
    const answer = server
      .answer(line, { context: undefined, signal })
      .then(({ body, cause }) => {
        if (cause !== undefined) console.error('jig:', cause);
        // A cancelled request gets no answer.
        if (body !== undefined && !signal.aborted) process.stdout.write(`${JSON.stringify(body)}\n`);
      })
      .finally(() => {
        running.delete(id);
        answers.delete(answer);
      });
    answers.add(answer);
  }
  for (const controller of running.values()) controller.abort();
  await Promise.all(answers);
  return 0;
}

type Message = Readonly<Record<string, unknown>>;

function parse(line: string): Message {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : {};
  } catch {
    return {};
  }
}
