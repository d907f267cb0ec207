import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { inspect } from '@jig/inspect';
import fastify, { type FastifyReply } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { ReplySender } from './reply-sender.ts';

const bean = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
let server = fastify();

afterEach(async () => {
  await server.close();
  server = fastify();
});

/** Asks for a document so many times at once over one connection, and reads none of it. */
async function ask(times: number, answer: (reply: FastifyReply) => Promise<void>) {
  server.get('/', async (_, reply) => {
    await answer(reply);
    return reply;
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(times));
  return client;
}

describe('a document that is sent by Fastify', () => {
  it('ends at once when the client has left while the bean was being made', async () => {
    let ended = 0;
    const client = await ask(1, async (reply) => {
      client.destroy();
      await once(reply.raw, 'close');
      await new ReplySender(reply).send({ inspection: inspect(bean), mediaType: 'application/json' });
      ended++;
    });
    await expect.poll(() => ended).toBe(1);
  });

  it('ends for every request of a client that has left, also for those that wait for the one before', async () => {
    let begun = 0;
    let ended = 0;
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const client = await ask(12, async (reply) => {
      begun++;
      await new ReplySender(reply).send({ inspection: inspect(bean), mediaType: 'application/json' });
      ended++;
    });
    await expect.poll(() => begun).toBe(12);
    expect(ended).toBe(0);
    client.destroy();
    await expect.poll(() => ended).toBe(12);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
