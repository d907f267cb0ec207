// Plain Fastify with one page of 135 KB that reads the session, and one form that is stored in it.
// The argument names the session plugin; everything else is the same for all of them.
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { sessionPlugin } from '@jig/sessions';
import fastify from 'fastify';

const page = Buffer.alloc(135 * 1024, 'x');
const secret = 'long enough for every session plugin';
const timeToLive = 30 * 60_000;

const plugins = {
  async '@jig/sessions'(app) {
    await app.register(sessionPlugin, { secret, timeToLive });
    return {
      read: async ({ session }) => (await session.entries()).get('zoneID'),
      store: ({ session }, entries) => session.set(entries),
    };
  },

  /** All attributes are in one property, because names such as `cookie` and `save` are taken. */
  async '@fastify/session'(app) {
    await app.register(fastifyCookie);
    await app.register(fastifySession, {
      secret,
      saveUninitialized: false,
      rolling: false,
      cookie: { secure: false, maxAge: timeToLive },
    });
    return {
      read: async ({ session }) => session.get('attributes')?.zoneID,
      store: async ({ session }, entries) =>
        session.set('attributes', { ...session.get('attributes'), ...Object.fromEntries(entries) }),
    };
  },
};

const app = fastify();
const { read, store } = await plugins[process.argv[2]](app);
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new Map(new URLSearchParams(body))),
);
app.get('/', async (request, reply) => {
  reply.header('zone', (await read(request)) ?? 'none');
  return reply.send(page);
});
app.post('/', async (request, reply) => {
  await store(request, request.body);
  return reply.redirect('/');
});
const address = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`listening on ${address}`);
