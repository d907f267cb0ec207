import { defineAddOn, text } from '@jig/application';
import { Greeter } from './greeter.ts';

export default defineAddOn({
  name: '@jig-examples/greeting-add-on',
  section: 'greeting',
  settings: {
    name: text({ default: 'world', description: 'Who is greeted; `nobody` switches the add-on off.' }),
  },
  condition: ({ settings }) =>
    settings.name === 'nobody' ? { met: false, because: 'greeting.name is nobody' } : { met: true },
  register(host) {
    host.define('greeter', { type: 'Greeter', create: () => new Greeter(host.settings.name) });
    host.link({ title: 'Greeting', path: '/greeting', description: 'Says hello.', needs: ['greeter'] });
    host.routes(
      async (server) => {
        const greeter = (await host.beans.get('greeter')) as Greeter;
        server.get('/greeting', async (_request, reply) =>
          reply.type('text/plain; charset=utf-8').send(greeter.greet()),
        );
      },
      { needs: ['greeter'] },
    );
  },
});
