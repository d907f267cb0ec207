import { Agent, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { nodeMount } from '../frameworks/mounts/node.ts';
import { agentBeans, agentOptions, planted } from './agent-beans.ts';
import { MalformedMessages } from './malformed.ts';
import { modern, type OddRequest, sendOdd } from './odd-requests.ts';

const seed = 20_261_116;
const count = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const errors: unknown[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
let running: RunningMount;
let url: string;

beforeAll(async () => {
  // What is found and read again and again need not be long.
  running = await nodeMount.start(agentBeans(1), { ...agentOptions, onError: (error) => errors.push(error) });
  url = `${running.url}/jig/mcp`;
});
afterAll(async () => {
  agent.destroy();
  await running.stop();
});

function send({ headers, body }: OddRequest & { readonly body: Buffer }): Promise<{ status: number; text: string }> {
  const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  const known = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: known as Record<string, string>, agent }, (response) => {
      const { statusCode: status = 0 } = response;
      readText(response).then((text) => resolve({ status, text }), reject);
    });
    // A body that is too long is refused before all of it was sent.
    asked.on('error', (error: NodeJS.ErrnoException) =>
      body.length > 65_536 ? resolve({ status: 413, text: '' }) : reject(error),
    );
    asked.end(body);
  });
}

/** Sends as many, eight at a time, and counts the statuses. */
async function sendMany(messages: MalformedMessages, number: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let left = number;
  const work = async () => {
    while (left-- > 0) {
      const message = messages.next();
      const { status, text } = await send(message);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 || planted.some((secret) => text.includes(secret)))
        expect.fail(
          `${status} ${text} for ${JSON.stringify(message.headers)} ${message.body.toString().slice(0, 2000)}`,
        );
      if (status === 200) JSON.parse(text);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return statuses;
}

const heapUsed = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

it(`${count} malformed messages of seed ${seed} are all answered, none by a 5xx, with no secret in the answer and nothing left in memory`, async () => {
  const messages = new MalformedMessages(seed);
  const first = await sendMany(messages, count / 4);
  const before = heapUsed();
  const second = await sendMany(messages, (count * 3) / 4);
  expect(heapUsed() - before).toBeLessThan(8e6);
  expect(errors).toEqual([]);
  const statuses = new Set([...first.keys(), ...second.keys()]);
  // Messages of all kinds were among them.
  expect([...statuses].sort((one, other) => one - other)).toEqual([200, 202, 400, 404, 413, 415]);
  expect(await sendOdd(url, modern('tools/list'))).toEqual([200]);
});
