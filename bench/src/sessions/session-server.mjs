// One page of 135 KB that looks into the session, and one form that is stored into it, with the kind of session that the argument names.
// Plain JavaScript, so that nothing but the session differs from what is measured elsewhere.
import fastifyCookie from '@fastify/cookie';
import fastifySession from '@fastify/session';
import { sessionPlugin } from '@jig/sessions';
import fastify from 'fastify';

const page = Buffer.alloc(135 * 1024, 'x');
const secret = 'as long as every kind of session wants it to be';
const timeToLive = 30 * 60_000;

const kinds = {
  none: () => ({ read: async () => undefined, store: async () => {} }),

  async ours(app) {
    await app.register(sessionPlugin, { secret, timeToLive });
    return {
      read: async ({ session }) => (await session.attributes()).get('zoneID'),
      store: ({ session }, entries) => session.store(entries),
    };
  },

  /** All attributes in one property, since names such as `cookie` and `save` would break it. */
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
const { read, store } = await kinds[process.argv[2]](app);
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
process.on('SIGTERM', () => process.exit(0));
