import { defineAddOn, string } from '@jig/application';
import { Greeter } from './greeter.ts';

declare module '@jig/application' {
  interface BeanTypes {
    greeter: Greeter;
  }
}

export default defineAddOn({
  name: '@jig-examples/greeting-add-on',
  section: 'greeting',
  settings: {
    name: string({ default: 'world', description: 'Who is greeted; `nobody` switches the add-on off.' }),
  },
  needs: ['greeter'],
  condition: ({ settings }) =>
    settings.name === 'nobody' ? { met: false, because: 'greeting.name is nobody' } : { met: true },
  register(host) {
    host.define('greeter', { create: () => new Greeter(host.settings.name) });
    host.link({ title: 'Greeting', path: '/greeting', description: 'Says hello.' });
    host.routes(async (server, { greeter }) => {
      server.get('/greeting', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(greeter.greet()));
    });
  },
});
