import type { RequestListener } from 'node:http';
import Module from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { Agent, AgentOptions } from '../agent/agent.ts';
import { isPostTo, stopPath } from '../agent/requests.ts';
import { agentSource } from '../agent/source.ts';
import { mainFile, packageOf } from '../discovery/own-files.ts';
import { captureKey, type Loaded, ownFolder, withCapture, withCaptureInFile } from './captured-line.ts';

// node --import @jig/console/run app.js: exposes the variables of modules, and does nothing else until the first request.

type Load = (url: string, context: object, nextLoad: (url: string, context: object) => Loaded) => Loaded;
type Compile = (this: object, content: unknown, filename: string, ...rest: readonly unknown[]) => unknown;

interface ModuleLoader {
  readonly _cache: Readonly<Record<string, object>>;
  readonly prototype: { _compile: Compile };
  registerHooks?(hooks: { readonly load: Load }): void;
}

const loader = Module as unknown as ModuleLoader;
const program = packageOf(mainFile());

/** A closure of each ES module, which is never unloaded, and of each CommonJS module while it is loaded. */
const esModuleClosures = new Map<string, object>();
const commonJsClosures = new WeakMap<object, object>();
/** In the order of evaluation: dependencies first. */
const commonJs: { readonly file: string; readonly module: WeakRef<object> }[] = [];

function* captured(): Generator<readonly [string, object]> {
  for (const { file, module } of commonJs) {
    const live = module.deref();
    const closure = live === loader._cache[file] && live !== undefined ? commonJsClosures.get(live) : undefined;
    if (closure !== undefined) yield [file, closure];
  }
  yield* esModuleClosures;
}

function capture(url: string, closure: object): void {
  const file = fileURLToPath(url.replace(/[?#].*/s, ''));
  const module = loader._cache[file];
  if (module === undefined) {
    esModuleClosures.set(url, closure);
    return;
  }
  if (!commonJsClosures.has(module)) commonJs.push({ file, module: new WeakRef(module) });
  commonJsClosures.set(module, closure);
}

Object.defineProperty(Function.prototype, captureKey, { value: capture, configurable: true });

if (loader.registerHooks === undefined) {
  const compile = loader.prototype._compile;
  loader.prototype._compile = function (content, filename, ...rest) {
    const source = typeof content === 'string' ? withCaptureInFile(filename, content, program) : content;
    return compile.call(this, source, filename, ...rest);
  };
  Module.register(new URL('load-hook.js', import.meta.url), { data: { program } });
} else {
  loader.registerHooks({ load: (url, context, nextLoad) => withCapture(url, nextLoad(url, context), program) });
}

/** Loads the agent as a script, so that no list of modules contains it. */
function loadAgent(): { start(options: AgentOptions): Promise<Agent> } {
  const script = new Script(agentSource(), { filename: 'jig-agent.cjs' });
  const module = { exports: {} };
  const wrapper = script.runInThisContext() as (...values: readonly unknown[]) => void;
  wrapper(module, module.exports, (name: string) => process.getBuiltinModule(name));
  return module.exports as ReturnType<typeof loadAgent>;
}

const announcedFile = new URL('announced.js', import.meta.url).href;

/** Programs that end earlier are not announced. */
const announceAfterMs = 100;

setTimeout(() => {
  // Skips worker threads of packages, such as the idle one of esbuild.
  const { isMainThread } = process.getBuiltinModule('node:worker_threads');
  if (!isMainThread && program !== undefined) return;
  void (import(announcedFile) as Promise<typeof import('./announced.ts')>)
    .then(({ announce }) => {
      let agent: Promise<Agent> | undefined;
      // If it fails, for example without a free file descriptor, the next request tries again.
      const start = async () =>
        loadAgent().start({
          captured: { [Symbol.iterator]: captured },
          socket: announced.announcement.socket,
          ownFolder,
        });
      const handler: RequestListener = (request, response) => {
        if (isPostTo(request, stopPath)) {
          void agent?.then((started) => started.stop(), ignore);
          response.writeHead(204).once('close', announced.close).end();
          return;
        }
        agent ??= start();
        agent.then(
          (started) => started.handler(request, response),
          (error: unknown) => {
            agent = undefined;
            response.writeHead(500).end(`The application cannot be inspected: ${String(error)}\n`);
          },
        );
      };
      const announced = announce({ prefix: '/jig', attached: true, handler });
    })
    .catch(ignore);
}, announceAfterMs).unref();

/** The application must not notice a failure. */
function ignore(): void {}
