import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { failInProcess, type InProcessOptions, type InProcessService, startInProcess } from '../support/in-process.ts';
import { type ApplicationParts, type MadeApplication, makeApplication } from '../support/make-application.ts';
import { type EndedService, runService } from '../support/start-service.ts';

const made: MadeApplication[] = [];
const running: InProcessService[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.stop()));
  await Promise.all(made.splice(0).map((application) => application.remove()));
});

async function make(parts: ApplicationParts): Promise<{ main: string; workingDirectory: string }> {
  const application = await makeApplication(parts);
  made.push(application);
  return { main: application.main, workingDirectory: application.folder };
}

async function start(parts: ApplicationParts, options: InProcessOptions = {}): Promise<InProcessService> {
  const service = await startInProcess({ ...(await make(parts)), ...options });
  running.push(service);
  return service;
}

const fail = async (parts: ApplicationParts, options: InProcessOptions = {}): Promise<string> =>
  (await failInProcess({ ...(await make(parts)), ...options })).stderr;

/** Runs it in a process of its own, where the start is expected to fail. */
async function run(parts: ApplicationParts, options: InProcessOptions = {}): Promise<EndedService> {
  const ended = await runService({ ...(await make(parts)), ...options });
  expect(ended.exitCode).toBe(1);
  return ended;
}

const greeting = '@jig-examples/greeting-add-on';

const addOnPackage = (module: string, section?: string) => ({
  'package.json': JSON.stringify({
    name: 'x',
    version: '1.0.0',
    type: 'module',
    jig: { addOn: './add-on.js', section },
  }),
  'add-on.js': module,
});

describe('an add-on', () => {
  it('is on when it is a dependency', async () => {
    const service = await start({ dependencies: [greeting] });
    expect(await (await fetch(`${service.url}/greeting`)).text()).toBe('Hello, world!\n');
    expect(await (await fetch(service.url)).text()).toContain('href="/greeting"');
    expect(service.output()).toContain(`add-on ${greeting} is on: included by the application`);
  });

  it('reads its own section of the configuration', async () => {
    const files = { 'jig.config.json': '{ "greeting": { "name": "file" } }' };
    const service = await start({ dependencies: [greeting], files });
    expect(await (await fetch(`${service.url}/greeting`)).text()).toBe('Hello, file!\n');
  });

  it('is off when its condition is not met, and the log says why', async () => {
    const service = await start({ dependencies: [greeting] }, { environment: { JIG_GREETING_NAME: 'nobody' } });
    expect((await fetch(`${service.url}/greeting`)).status).toBe(404);
    expect(service.output()).toContain(`add-on ${greeting} is off: greeting.name is nobody`);
  });

  it('is off when it is excluded, even if it cannot be loaded, and its settings are still accepted', async () => {
    const service = await start(
      { dependencies: ['broken'], packages: { broken: addOnPackage('throw new Error("at load")', 'broken') } },
      { flags: ['--addOns.exclude=broken', '--broken.anything=1'] },
    );
    expect(service.output()).toContain('add-on broken is off: excluded by the setting addOns.exclude');
  });

  it.each([
    ['throws at load', 'throw new Error("at load")', 'The add-on broken could not be loaded: at load'],
    ['is no add-on', 'export default 42', 'The add-on broken has no default export made by defineAddOn'],
    [
      'throws in its condition',
      'export default { name: "b", condition() { throw new Error("in condition") }, register() {} }',
      'The add-on broken failed in its condition: in condition',
    ],
    [
      'throws while it registers',
      'export default { name: "b", register() { throw new Error("in register") } }',
      'The add-on broken failed in register: in register',
    ],
  ])('that %s ends the start with one sentence that names it', async (_, module, sentence) => {
    const stderr = await fail({ dependencies: ['broken'], packages: { broken: addOnPackage(module) } });
    expect(stderr).toContain(`Made could not start: `);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a feature that needs a bean of an add-on', () => {
  const needs = (bean: string) =>
    `[{ name: 'guests', needs: ['${bean}'], register: (host) =>
      host.routes(async (server, { greeter }) => void server.get('/guest', () => greeter.greet())) }]`;

  it.each([
    ['excluded', '--addOns.exclude=@jig-examples/greeting-add-on', 'excluded by the setting addOns.exclude'],
    ['off', '--greeting.name=nobody', 'greeting.name is nobody'],
  ])('ends the start when the add-on is %s, with the missing bean and the reason', async (_, flag, because) => {
    const parts = { dependencies: [greeting], features: needs('greeter') };
    expect(await fail(parts, { flags: [flag] })).toBe(
      `Made could not start: The feature guests needs the bean greeter, since the add-on ${greeting} is off: ${because}; turn it on, or leave out what needs it. [JIG_BEAN_UNKNOWN]\n`,
    );
  });
});

describe('the package.json of an add-on of ours', () => {
  it.each([
    ['packages/bean-inspection', 'host/register-inspection.ts'],
    ['packages/embedded-database', 'add-on.ts'],
    ['packages/redis-sessions', 'add-on.ts'],
    ['examples/greeting-add-on', 'add-on.ts'],
  ])('lists the beans that it defines: %s', (folder, file) => {
    const read = (path: string) => readFileSync(new URL(`../../${folder}/${path}`, import.meta.url), 'utf8');
    const defined = [...read(`src/${file}`).matchAll(/host\.define\('(\w+)'/g)].map(([, name]) => name);
    expect(JSON.parse(read('package.json')).jig.beans).toEqual(defined);
  });
});

describe('a start that fails', () => {
  it('names both parts with the same section', async () => {
    const module = 'export default { name: "b", section: "server", settings: {}, register() {} }';
    const stderr = await fail({ dependencies: ['b'], packages: { b: addOnPackage(module, 'server') } });
    expect(stderr).toBe(
      'Made could not start: The section server of the settings is defined by both the host and b; rename one of them, or leave one of these parts out. [JIG_NAME_TAKEN]\n',
    );
  });

  const feature = (register: string) => `[{ name: 'feature', register(host) { ${register} } }]`;
  it('names the bean that did not start, with the stack only with --verbose', async () => {
    const features = feature(
      'host.define("a", { type: "T", create: () => 1, start() { throw new Error("no luck") } });',
    );
    expect((await run({ features })).stderr).toBe(
      'Made could not start: The bean a did not start: no luck [JIG_BEAN_START_FAILED]\n',
    );
    const { stderr } = await run({ features }, { flags: ['--verbose'] });
    expect(stderr).toMatch(/no luck\n\s+at /);
  });

  it('shows no secret, even with --verbose', async () => {
    const secret = 'open-sesame'.repeat(3);
    const thrown = `throw new Error("refused ${secret}", { cause: new Error("said ${secret}") })`;
    const environment = { JIG_SESSIONS_SECRET: secret };
    const { stderr } = await run({ features: feature(thrown) }, { environment, flags: ['--verbose'] });
    expect(stderr).toContain('failed in register: refused ****** [JIG_FEATURE_UNUSABLE]\n');
    expect(stderr).toContain('said ******');
    expect(stderr).not.toContain('sesame');
  });

  it('shows nothing of a configuration file that is not JSON, even with --verbose', async () => {
    const files = { 'jig.config.json': '{ "sessions": { "secret": open-sesame } }' };
    const { stderr } = await run({ files }, { flags: ['--verbose'] });
    expect(stderr).toContain('it is not valid JSON');
    expect(stderr).not.toContain('sesame');
  });

  it('names a feature that never ends its registration', async () => {
    const flags = ['--application.startTimeout=300ms'];
    expect(await fail({ features: feature('return new Promise(() => {})') }, { flags })).toBe(
      'Made could not start: The feature feature failed in register: it took longer than 300 ms. application.startTimeout allows more. [JIG_DEADLINE_PASSED]\n',
    );
  });

  it('reports that the condition of an add-on did not settle', async () => {
    const module = 'export default { name: "b", condition: () => new Promise(() => {}), register() {} }';
    const stderr = await fail(
      { dependencies: ['b'], packages: { b: addOnPackage(module) } },
      { flags: ['--application.startTimeout=300ms'] },
    );
    expect(stderr).toContain('The add-on b failed in its condition: it took longer than 300 ms.');
  });
});
