import { defineAddOn } from '@jig/application';
import type { BeanController } from './host/register-inspection.ts';
import { inspectionSettings } from './host/settings.ts';

declare module '@jig/application' {
  interface BeanTypes {
    readonly beanController: BeanController;
  }
}

export default defineAddOn({
  name: '@jig/bean-inspection',
  section: 'beanInspection',
  settings: inspectionSettings,
  needs: ['beanController'],

  condition({ settings: { enabled }, environment }) {
    if (enabled === false) return { met: false, because: 'beanInspection.enabled is false' };
    if (enabled === true) return { met: true, because: 'beanInspection.enabled is true' };
    return environment === 'production'
      ? { met: false, because: 'NODE_ENV is production and beanInspection.enabled is not true' }
      : { met: true, because: `NODE_ENV is ${environment}` };
  },

  /** Where it is off, as in production, nothing else is loaded: that would be a quarter of a start. */
  async register(host) {
    const { registerInspection } = await import('./host/register-inspection.ts');
    registerInspection(host);
  },
});
