import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OptionName } from '../http/access.ts';
import { mountPath, parseAddress, withInstance, withoutInstance, withoutOrigin } from '../http/address.ts';
import type { Answer, Awaitable } from '../http/answer.ts';
import { addressLine, addressOf, agentLine, environment, hasConsole, isDevelopment } from '../http/first-request.ts';
import { guardCallback, guardOnError, logToConsole, type OnError } from '../http/report-error.ts';
import { type InspectionRequest, prefixHeader, type RawRequest } from '../http/request.ts';
import type { Announcement } from '../instances/announcement.ts';
import { Instances } from '../instances/instances.ts';
import type { createMount, Mount } from '../mount.ts';
import { type BeanInspectionOptions, isPrefix, type ParsedOptions, parseOptions, thresholdLine } from '../options.ts';
import type { BeanSource } from '../sources/bean-source.ts';
import { type Inspectable, toBeanSource } from '../sources/plain.ts';
import { type MountedRequest, nodeRequest, sendAnswer } from './node.ts';

export type { BeanInspectionOptions } from '../options.ts';

/** Answers requests below its prefix and returns true; returns false for all others, and leaves them alone. */
export type BeanInspectionHandler = (request: MountedRequest, response: ServerResponse) => Promise<boolean>;

/** The beans of a source over HTTP, for anything that has a request and a response of `node:http`. */
export function beanInspection(
  source: Inspectable<IncomingMessage>,
  options: BeanInspectionOptions = {},
): BeanInspectionHandler {
  const inspector = new Inspector(source, options, { contextOf: (request) => request });
  return inspector.exposeOn(async (request, response) => {
    const found = inspector.find(nodeRequest(request), request);
    if (found !== undefined) await inspector.send(found, response);
    return found !== undefined;
  });
}

export interface InspectorOptions<Context = unknown> {
  /** Writes lines that are not errors; `console.warn` by default. */
  readonly log?: (message: string) => void;
  /** How error messages name an option. */
  readonly optionName?: OptionName;
  /** The context of a request that came over the socket, not through the framework. Without it, there is no socket. */
  readonly contextOf?: (request: IncomingMessage, response: ServerResponse) => Context;
  /** Only set by our host, which creates the mount itself. */
  readonly mount?: Mount;
  /** A note above the list of beans. */
  readonly note?: (() => string | undefined) | undefined;
}

/** Shared by all frameworks. Recognizes our requests, and loads what answers them at the first one. */
export class Inspector<Context> {
  readonly #source: BeanSource<Context>;
  readonly #options: ParsedOptions;
  readonly #internal: InspectorOptions<Context>;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  readonly #onReady: ((message: string) => void) | undefined;
  readonly #instances: Instances;
  /** Created at the first request. */
  #mount: Mount | undefined;
  /** The path that a framework mounts this at, known from the first request on. */
  #base = '';
  #isFirstRequest = true;
  #isClosed = false;

  constructor(source: Inspectable<Context>, options: BeanInspectionOptions, internal: InspectorOptions<Context> = {}) {
    const { enabled = environment() !== 'production', onReady = console.log } = options;
    this.#options = parseOptions(options);
    this.#source = toBeanSource(source);
    this.#internal = internal;
    this.#enabled = enabled;
    this.#onError = guardOnError(options.onError ?? logToConsole);
    this.#onReady = isDevelopment() ? guardCallback('onReady', onReady) : undefined;
    this.#mount = internal.mount;
    this.#instances = internal.mount?.instances ?? new Instances(this.#options);
    if (enabled && this.#options.watch.length > 0) void this.#startRecording();
    const { contextOf } = internal;
    if (enabled && (options.announce ?? isDevelopment()) && contextOf !== undefined)
      this.#instances.announce((request, response) => void this.answerOnSocket(request, response, contextOf));
  }

  /** How other processes of the same user find this one. */
  get announcement(): Announcement | undefined {
    return this.#instances.announcement;
  }

  /** Undefined for requests of the application. */
  find(raw: RawRequest, context: Context): InspectionRequest | undefined {
    if (!this.#enabled) return undefined;
    const target = withoutOrigin(raw.originalUrl);
    const base = mountPath(withoutOrigin(raw.url), target);
    if (this.#isFirstRequest) this.onFirstRequest(raw, base);
    return this.#toRequest(raw, target, base, context);
  }

  #toRequest(raw: RawRequest, target: string, base: string, context: Context): InspectionRequest | undefined {
    // The option `prefix` may include the path that it is mounted at.
    const { prefix } = this.#options;
    for (const candidate of base === '' ? [prefix] : [base + prefix, prefix]) {
      const address = parseAddress(candidate, target);
      if (address === undefined) continue;
      const { instance, path } = address;
      // Links name an instance if the request did.
      const linkPrefix = instance === undefined ? candidate : withInstance(candidate, instance);
      return { raw, url: raw.originalUrl, prefix: linkPrefix, path, instance, host: raw.host, context };
    }
    return undefined;
  }

  /** Answers a request that `find` returned: at once if nothing has to be awaited. */
  answer(request: InspectionRequest): Awaitable<Answer> {
    if (modules === undefined) return loadModules().then(() => this.answer(request));
    return modules.handle(this.#ensureMount(modules.createMount), request);
  }

  /** Answers and sends, by `node:http` or a framework on it. Never rejects. */
  async send(
    request: InspectionRequest,
    response: ServerResponse,
    sendBy = (answer: Answer): Awaitable<void> => sendAnswer(response, answer),
  ): Promise<void> {
    try {
      await sendBy(await this.answer(request));
    } catch (failure) {
      this.#onError(failure, 'The answer could not be sent, so the connection was closed.');
      response.destroy();
    }
  }

  /** Lets `observeReadings` find the mount; by a registered symbol, because an application may load two copies of this package. */
  exposeOn<Handle extends object>(handle: Handle): Handle {
    const value = (create: typeof createMount) => this.#ensureMount(create);
    return Object.defineProperty(handle, Symbol.for('jig.mount'), { value, configurable: true });
  }

  /** Ends all event streams and recording, so that the server can close. */
  close(): void {
    this.#isClosed = true;
    this.#mount?.close();
    this.#instances.close();
  }

  /** Creates the mount once, and closes it at once if the inspector is closed already. */
  #ensureMount(create: typeof createMount): Mount {
    if (this.#mount !== undefined) return this.#mount;
    const { log = console.warn, note, optionName } = this.#internal;
    const onError = this.#onError;
    const notify = guardCallback('onThreshold', this.#options.onThreshold ?? (() => {}), onError);
    const write = guardCallback('log', log);
    this.#mount = create(this.#source, this.#options, {
      instances: this.#instances,
      onError,
      note,
      ...(optionName && { optionName }),
      onThreshold(event) {
        write(thresholdLine(event));
        notify(event);
      },
    });
    if (this.#isClosed) this.#mount.close();
    return this.#mount;
  }

  /** Starts recording the values of the option `watch`. Never rejects. */
  async #startRecording(): Promise<void> {
    try {
      const { createMount } = await import('../mount.ts');
      this.#ensureMount(createMount);
    } catch (error) {
      this.#onError(error, 'What the option watch names could not be recorded.');
    }
  }

  /** Announces the address to other processes and, in development, to the developer. */
  onFirstRequest({ socket }: Pick<RawRequest, 'socket'>, base = ''): void {
    if (!this.#isFirstRequest || !this.#enabled) return;
    this.#isFirstRequest = false;
    this.#base = base;
    const prefix = base + this.#options.prefix;
    const { localPort } = socket;
    if (localPort !== undefined) this.#instances.update(addressOf(socket, ''), prefix);
    const onReady = this.#onReady;
    if (onReady === undefined) return;
    const isInConsole = this.announcement !== undefined && hasConsole(process.cwd());
    onReady(addressLine(socket, prefix, isInConsole));
    const options = { hasToken: this.#options.token !== undefined, isInConsole };
    if (this.#options.mcp !== false) onReady(agentLine(addressOf(socket, `${prefix}/mcp`), options));
  }

  /** Answers another process of the same user, with links to the instance that forwards the request. */
  async answerOnSocket(
    incoming: IncomingMessage,
    response: ServerResponse,
    contextOf: NonNullable<InspectorOptions<Context>['contextOf']>,
  ): Promise<void> {
    const raw = nodeRequest(incoming);
    const request = this.#toRequest(raw, raw.url, this.#base, contextOf(incoming, response));
    if (request === undefined) return void response.writeHead(404).end();
    const { [prefixHeader]: given } = incoming.headers;
    const prefix = typeof given === 'string' && isPrefix(withoutInstance(given)) ? given : request.prefix;
    await this.send({ ...request, prefix, isOverSocket: true }, response);
  }
}

let modules: (typeof import('../mount.ts') & typeof import('../handle.ts')) | undefined;

/** Called at the first request, so that the application starts fast. */
async function loadModules(): Promise<void> {
  modules = { ...(await import('../mount.ts')), ...(await import('../handle.ts')) };
}
