import sessions from '@jig/sessions';
import fastify from 'fastify';

const app = fastify();
await app.register(sessions, { secret: process.env.SESSION_SECRET ?? 'for trying this out on your own machine' });

app.get('/', async ({ session }) => {
  const visits = Number((await session.get('visits')) ?? 0) + 1;
  await session.set('visits', String(visits));
  return `Visit ${visits}\n`;
});

app.post('/end', async ({ session }, reply) => {
  await session.destroy();
  return reply.redirect('/');
});

console.log(`listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.close());
