import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'vitest';
import type { HostErrorCode } from '../../../packages/application/src/errors.ts';
import { withoutDatabase as environment } from '../../support/start-service.ts';
import type { ErrorScenario } from './error-scenario.ts';

const locked = () => {
  throw new Error('the disk is locked');
};

export const hostErrorScenarios: Record<HostErrorCode, ErrorScenario> = {
  JIG_SETTING_UNKNOWN: {
    names: /"prot" \(flag --prot\)/,
    advises: /--help lists the settings/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--prot=1'] }),
  },
  JIG_SETTING_INVALID: {
    names: /server\.port got "abc" \(environment variable PORT\)/,
    advises: /expected an integer from 0 to 65535/,
    run: (sandbox) => sandbox.failedStart({ environment: { ...environment, PORT: 'abc' } }),
  },
  JIG_CONFIGURATION_UNREADABLE: {
    names: /jig\.config\.json cannot be used/,
    advises: /not valid JSON at line 3, column 1/,
    async run(sandbox) {
      await sandbox.write('jig.config.json', '{\n  "server": {\n');
      return sandbox.failedStart({ environment, workingDirectory: sandbox.folder });
    },
  },
  JIG_MANIFEST_UNREADABLE: {
    names: /The application's package\.json cannot be read: ENOENT: .*\/nowhere\.json/,
    advises: /The option manifest must be its URL/,
    async run(sandbox) {
      const manifest = new URL(`file://${sandbox.folder}/nowhere.json`);
      return sandbox.failedStart({ ...(await sandbox.application({})), application: { manifest } });
    },
  },
  JIG_NAME_TAKEN: {
    names: /bean server is defined by both @jig\/application and clumsy/,
    advises: /rename one/,
    run: (sandbox) =>
      sandbox.failedFeature((host) => host.define('server', { type: 'Mine', create: () => 1 as never })),
  },
  JIG_BEAN_UNKNOWN: {
    names: /clumsy -> missing/,
    advises: /correct the name/,
    run: (sandbox) => sandbox.failedBean({ create: ({ missing }) => missing }),
  },
  JIG_BEAN_CYCLE: {
    names: /clumsy -> clumsy/,
    advises: /ask for the other later/,
    run: (sandbox) => sandbox.failedBean({ create: ({ clumsy }) => clumsy }),
  },
  JIG_BEAN_NEEDS_REQUEST: {
    names: /clumsy -> session is of session scope/,
    advises: /with the request at hand/,
    run: (sandbox) => sandbox.failedBean({ create: ({ session }) => session }),
  },
  JIG_BEAN_CREATE_FAILED: {
    names: /The bean clumsy could not be made/,
    advises: /the disk is locked/,
    run: (sandbox) => sandbox.failedBean({ create: locked }),
  },
  JIG_BEAN_START_FAILED: {
    names: /The bean clumsy did not start/,
    advises: /the disk is locked/,
    run: (sandbox) => sandbox.failedBean({ start: locked }),
  },
  JIG_BEAN_STOP_FAILED: {
    names: /The bean clumsy did not stop/,
    advises: /the disk is locked/,
    async run(sandbox) {
      const service = await sandbox.start(await sandbox.bean(`stop() { throw new Error('the disk is locked') }`));
      service.process.kill('SIGTERM');
      const [exitCode] = (await once(service.process, 'close')) as [number];
      expect(exitCode).toBe(1);
      return sandbox.logged(service, 'JIG_BEAN_STOP_FAILED');
    },
  },
  JIG_START_CALLED_OFF: {
    names: /Made was asked to stop while it was starting/,
    async run(sandbox) {
      const kill = `start: (_, signal) => new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        process.kill(process.pid, 'SIGTERM');
      })`;
      return sandbox.abortedStart(await sandbox.bean(kill));
    },
  },
  JIG_DEADLINE_PASSED: {
    names: /The bean clumsy did not start: it took longer than 300 ms/,
    advises: /application\.startTimeout allows more/,
    async run(sandbox) {
      const flags = ['--application.startTimeout=300ms', '--application.stopTimeout=300ms'];
      return sandbox.failedBean({ start: () => new Promise(() => {}) }, flags);
    },
  },
  JIG_FEATURE_UNUSABLE: {
    names: /The feature clumsy failed in register/,
    advises: /the disk is locked/,
    run: (sandbox) => sandbox.failedFeature(locked),
  },
  JIG_ADD_ON_UNUSABLE: {
    names: /The add-on broken could not be loaded: the disk is locked/,
    advises: /addOns\.exclude leaves it out/,
    async run(sandbox) {
      const manifest = JSON.stringify({ name: 'broken', version: '1.0.0', type: 'module', jig: { addOn: './a.js' } });
      const broken = { 'package.json': manifest, 'a.js': `throw new Error('the disk is locked')` };
      return sandbox.failedStart(await sandbox.application({ dependencies: ['broken'], packages: { broken } }));
    },
  },
  JIG_ADDRESS_UNAVAILABLE: {
    names: /port \d+ of 127\.0\.0\.1: listen EADDRINUSE: address already in use/,
    advises: /HOST and PORT choose another/,
    async run(sandbox) {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      sandbox.finally(async () => other.close());
      const { port } = other.address() as { port: number };
      return sandbox.failedStart({ environment: { ...environment, PORT: String(port) } });
    },
  },
  JIG_HOME_UNWRITABLE: {
    names: /data folder .*\/file\/home cannot be written to/,
    advises: /choose another with JIG_HOME/,
    async run(sandbox) {
      return sandbox.failedStart({ environment, home: `${await sandbox.write('file', '')}/home` });
    },
  },
  JIG_SESSION_STORE_UNKNOWN: {
    names: /no session store "shelf", which sessions\.store names/,
    advises: /there are auto, memory/,
    run: (sandbox) => sandbox.failedStart({ environment, flags: ['--sessions.store=shelf'] }),
  },
  JIG_SESSION_SECRET_UNUSABLE: {
    names: /home\/session-secret holds no session secret/,
    advises: /remove it/,
    async run(sandbox) {
      await sandbox.write('home/session-secret', 'short');
      return sandbox.failedStart({ environment });
    },
  },
};
