import type { Feature } from '@jig/application';
import { startApplication } from '../../../packages/application/test-fixtures/running-application.ts';
import addOn from '../../../packages/bean-inspection/dist/add-on.js';
import type { Mount } from '../conformance/mount.ts';

export const hostMount: Mount = {
  name: 'in our host',
  isHost: true,
  optionName: (option) => `beanInspection.${option} in the configuration`,
  async start({ values, creators }, { token, deny = [] }) {
    const feature: Feature = {
      name: 'tested beans',
      register(host) {
        for (const [name, value] of values) host.define(name, { type: 'Object', create: () => value, start() {} });
        for (const [name, create] of creators) host.define(name, { type: 'Object', create });
        host.routes(async (server) => void server.get('/hello', async () => 'hello'));
      },
    };
    const flags = [
      ...(token === undefined ? [] : [`--beanInspection.token=${token}`]),
      ...(deny.length === 0 ? [] : [`--beanInspection.deny=${deny.join(',')}`]),
    ];
    const application = await startApplication([addOn, feature], flags, 'debug');
    return { url: application.url, stop: () => application[Symbol.asyncDispose]() };
  },
};
