import type { Feature } from '@jig/application';
import { startApplication } from '../../../packages/application/test-fixtures/running-application.ts';
import addOn from '../../../packages/bean-inspection/dist/add-on.js';
import { perRequest } from '../conformance/beans.ts';
import type { Mount } from '../conformance/mount.ts';

export const hostMount: Mount = {
  name: 'in our host',
  isHost: true,
  optionName: (option) => `beanInspection.${option} in the configuration`,
  async start({ values, creators }, options) {
    const { token, deny = [], mask, reveal = [], create, getters, metrics, announce } = options;
    let inspection: object = {};
    const feature: Feature = {
      name: 'tested beans',
      register(host) {
        for (const [name, value] of values) host.define(name, { type: 'Object', create: () => value, start() {} });
        for (const [name, make] of creators) {
          if (perRequest.includes(name)) host.define(name, { type: 'Object', scope: 'request', create: make });
          else host.define(name, { type: 'Object', create: make });
        }
        host.routes(async (server) => {
          inspection = await host.beans.get('beanController');
          server.get('/hello', async () => 'hello');
        });
      },
    };
    const flags = [
      ...(token === undefined ? [] : [`--beanInspection.token=${token}`]),
      ...(typeof mask === 'function' || mask === undefined ? [] : [`--beanInspection.mask=${[...mask].join(',')}`]),
      `--beanInspection.reveal=${[...reveal].join(',')}`,
      ...(getters === undefined ? [] : [`--beanInspection.getters=${getters}`]),
      ...(create === undefined ? [] : [`--beanInspection.create=${create}`]),
      ...(announce === undefined ? [] : [`--beanInspection.announce=${announce}`]),
      ...(metrics === undefined ? [] : [`--beanInspection.metrics=${JSON.stringify(metrics)}`]),
      ...(deny.length === 0 ? [] : [`--beanInspection.deny=${deny.join(',')}`]),
    ];
    const application = await startApplication([addOn, feature], flags, 'debug');
    return { url: application.url, stop: () => application[Symbol.asyncDispose](), inspection };
  },
};
