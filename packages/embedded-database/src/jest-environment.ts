import { createRequire } from 'node:module';
import { optionInvalid } from './errors.ts';
import { runsOf } from './jest.ts';
import { type Lease, leaseDatabase } from './test-run.ts';

interface EnvironmentConfig {
  readonly globalConfig: { readonly globalSetup?: string | null | undefined };
  readonly projectConfig: { readonly globalSetup?: string | null | undefined; readonly rootDir: string };
}

/** The part of a jest 29 and 30 environment that is used. */
interface Environment {
  readonly global: { readonly process: { readonly env: NodeJS.ProcessEnv } };
  setup(): Promise<void>;
  teardown(): Promise<void>;
}

/** Any environment class; its parameters depend on the version of jest. */
type EnvironmentClass = abstract new (...parameters: never[]) => object;

/** Adds a database for each test file to a jest environment, such as `jest-environment-jsdom`. */
export function databaseEnvironment<Base extends EnvironmentClass>(base: Base): Base {
  return new Proxy(base, {
    construct(target, parameters: [EnvironmentConfig, unknown], newTarget) {
      const environment = Reflect.construct(target, parameters, newTarget) as Environment;
      addDatabase(environment, parameters[0]);
      return environment;
    },
  });
}

function addDatabase(environment: Environment, config: EnvironmentConfig): void {
  const setup = environment.setup.bind(environment);
  const teardown = environment.teardown.bind(environment);
  let lease: Lease | undefined;
  environment.setup = async () => {
    await setup();
    lease = await leaseDatabase(addressFor(config), process.env.JEST_WORKER_ID ?? '');
    // Each test file has its own copy of the variables.
    Object.assign(environment.global.process.env, lease.database.environment);
  };
  environment.teardown = async () => {
    await teardown();
    await lease?.end();
  };
}

/** The run that the set-up of this project has started. */
function addressFor({ globalConfig, projectConfig }: EnvironmentConfig): string {
  const runs = runsOf(process.env);
  const address = [projectConfig.globalSetup, globalConfig.globalSetup, '']
    .map((key) => runs[key ?? ''])
    .find((found) => found !== undefined);
  if (address !== undefined) return address;
  throw optionInvalid(
    'There is no database for this test file: its environment needs @jig/embedded-database/jest, or a module with its databaseSetup(), as globalSetup.',
  );
}

/** The environment `node` of jest with a database for each test file. jest calls it with `new`. */
export default function DatabaseEnvironment(config: EnvironmentConfig, context: unknown): Environment {
  const NodeEnvironment = databaseEnvironment(nodeEnvironment(config.projectConfig.rootDir));
  return new NodeEnvironment(config, context);
}

type ConstructibleEnvironment = new (config: EnvironmentConfig, context: unknown) => Environment;

/** Comes with jest; with strict package managers it must be a dependency of the project. */
function nodeEnvironment(rootDir: string): ConstructibleEnvironment {
  const name = 'jest-environment-node';
  for (const from of [import.meta.url, `${rootDir}/package.json`])
    try {
      return (createRequire(from)(name) as { TestEnvironment: ConstructibleEnvironment }).TestEnvironment;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  throw optionInvalid(`The package ${name} of jest is not found. Install it beside jest, in the same version.`);
}
