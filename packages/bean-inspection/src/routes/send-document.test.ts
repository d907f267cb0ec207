import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { inspect } from '../inspect.ts';
import { sendDocument } from './send-document.ts';

it('ends at once when the client has left while the bean was being made', async () => {
  const server = fastify();
  const bean = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  const sent = new Promise<string>((resolve, reject) => {
    server.get('/', async (_, reply) => {
      client.destroy();
      await once(reply.raw, 'close');
      sendDocument(reply, inspect(bean), 'application/json').then(() => resolve('ended'), reject);
      return reply;
    });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await sent).toBe('ended');
  await server.close();
});
