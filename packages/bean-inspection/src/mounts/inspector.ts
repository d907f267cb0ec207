import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OptionName } from '../http/access.ts';
import { isPrefix, mountPath, parseAddress, withInstance, withoutInstance, withoutOrigin } from '../http/address.ts';
import type { Answer } from '../http/answer.ts';
import { addressLine, addressOf, agentLineFor, environment, hasConsole, isDevelopment } from '../http/first-request.ts';
import { guardOnError, guardTold, logToConsole, type OnError } from '../http/report-error.ts';
import { type InspectionRequest, prefixHeader, type RawRequest } from '../http/request.ts';
import type { Announcement } from '../instances/announcement.ts';
import { Instances } from '../instances/instances.ts';
import type { createMount, Mount } from '../mount.ts';
import { thresholdLine } from '../option-rules.ts';
import { type BeanInspectionOptions, type ParsedOptions, parseOptions } from '../options.ts';
import type { BeanSource } from '../sources/bean-source.ts';
import { type Inspectable, toBeanSource } from '../sources/plain.ts';
import { type MountedRequest, NodeRequest, sendAnswer } from './node.ts';

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
    const found = inspector.find(new NodeRequest(request), request);
    if (found !== undefined) await inspector.send(found, response);
    return found !== undefined;
  });
}

export interface InspectorOptions<Context = unknown> {
  /** Where a line is written that is no error; the console by default. */
  readonly log?: (message: string) => void;
  /** How options are called in the words of the mount. */
  readonly optionName?: OptionName;
  /** What the source gets for a request that came over the socket, past the framework. Without it, there is no socket. */
  readonly contextOf?: (request: IncomingMessage, response: ServerResponse) => Context;
  /** What was made of the source already, as our host does. */
  readonly mount?: Mount;
  /** What the page of the list says above it. */
  readonly note?: (() => string | undefined) | undefined;
}

/** What all frameworks share. It is light: it recognises requests that are for us, and loads what answers them at the first one. */
export class Inspector<Context> {
  readonly #source: BeanSource<Context>;
  readonly #options: ParsedOptions;
  readonly #own: InspectorOptions<Context>;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  readonly #onReady: ((message: string) => void) | undefined;
  readonly #instances: Instances;
  /** Made when somebody looks. */
  #mount: Mount | undefined;
  /** The path that a framework has mounted it at, as far as that is known. */
  #base = '';
  #isFirst = true;
  #isClosed = false;

  constructor(source: Inspectable<Context>, options: BeanInspectionOptions, own: InspectorOptions<Context> = {}) {
    const { enabled = environment() !== 'production', onReady = console.log } = options;
    this.#options = parseOptions(options);
    this.#source = toBeanSource(source);
    this.#own = own;
    this.#enabled = enabled;
    this.#onError = guardOnError(options.onError ?? logToConsole);
    this.#onReady = isDevelopment() ? guardTold('onReady', onReady) : undefined;
    this.#mount = own.mount;
    this.#instances = own.mount?.instances ?? new Instances(this.#options);
    if (enabled && this.#options.watch.length > 0) void this.#record();
    const { contextOf } = own;
    if (enabled && (options.announce ?? isDevelopment()) && contextOf !== undefined)
      this.#instances.announce((request, response) => void this.answerOnSocket(request, response, contextOf));
  }

  /** What others of the same user read of this one, if they can find it. */
  get announcement(): Announcement | undefined {
    return this.#instances.announcement;
  }

  /** The request, if it asks for beans; undefined when it is for the application. */
  find(raw: RawRequest, context: Context): InspectionRequest | undefined {
    if (!this.#enabled) return undefined;
    const target = withoutOrigin(raw.wholeUrl);
    const base = mountPath(withoutOrigin(raw.url), target);
    if (this.#isFirst) this.tellAddress(raw, base);
    // The prefix may name the path that it is mounted at, or not.
    const { prefix } = this.#options;
    for (const own of base === '' ? [prefix] : [base + prefix, prefix]) {
      const address = parseAddress(own, target);
      if (address === undefined) continue;
      const { instance, path } = address;
      return { raw, url: raw.wholeUrl, prefix: linkPrefix(own, address), path, instance, host: raw.host, context };
    }
    return undefined;
  }

  /** The answer to a request that was found. */
  async answer(request: InspectionRequest): Promise<Answer> {
    const { createMount, handle } = await loadParts();
    return handle(this.#mountBy(createMount), request);
  }

  /** The same, sent by `node:http` or by a framework on it. Never rejects. */
  async send(
    request: InspectionRequest,
    response: ServerResponse,
    sendBy = (answer: Answer) => sendAnswer(response, answer),
  ): Promise<void> {
    try {
      await sendBy(await this.answer(request));
    } catch (failure) {
      this.#onError(failure, 'The answer could not be sent, so the connection was closed.');
      response.destroy();
    }
  }

  /** Lets `observeReadings` find the mount. By a registered symbol, since an application may have loaded two copies of this package. */
  exposeOn<Handle extends object>(handle: Handle): Handle {
    const value = (create: typeof createMount) => this.#mountBy(create);
    return Object.defineProperty(handle, Symbol.for('jig.mount'), { value, configurable: true });
  }

  /** Ends all event streams and recording, so that the server can close. */
  close(): void {
    this.#isClosed = true;
    this.#mount?.close();
    this.#instances.close();
  }

  /** Made once, also for a request that comes when it is closed already. */
  #mountBy(create: typeof createMount): Mount {
    if (this.#mount !== undefined) return this.#mount;
    const { log = console.warn, note, optionName } = this.#own;
    const onError = this.#onError;
    const tell = guardTold('onThreshold', this.#options.onThreshold ?? (() => {}), onError);
    const write = guardTold('log', log);
    this.#mount = create(this.#source, this.#options, {
      instances: this.#instances,
      onError,
      note,
      optionName,
      onThreshold(event) {
        write(thresholdLine(event));
        tell(event);
      },
    });
    if (this.#isClosed) this.#mount.close();
    return this.#mount;
  }

  /** Begins to record what the application wants from the start. Never rejects. */
  async #record(): Promise<void> {
    try {
      const { createMount } = await import('../mount.ts');
      // To get it is to make it, and it begins at once.
      void this.#mountBy(createMount).recorder;
    } catch (error) {
      this.#onError(error, 'What the option watch names could not be recorded.');
    }
  }

  /** At the first request, tells other processes where this one is, and in development the developer where the beans are. */
  tellAddress({ socket }: Pick<RawRequest, 'socket'>, base = ''): void {
    if (!this.#isFirst || !this.#enabled) return;
    this.#isFirst = false;
    this.#base = base;
    const prefix = base + this.#options.prefix;
    const { localPort } = socket;
    if (localPort !== undefined) this.#instances.update(addressOf(socket, ''), prefix);
    const onReady = this.#onReady;
    if (onReady === undefined) return;
    const isInConsole = this.announcement !== undefined && hasConsole(process.cwd());
    onReady(addressLine(socket, prefix, isInConsole));
    const options = { hasToken: this.#options.token !== undefined, isInConsole };
    if (this.#options.mcp !== false) onReady(agentLineFor(socket, prefix, options));
  }

  /** Answers another process of the same user. Links are those of the one who passes the request on. */
  async answerOnSocket(
    incoming: IncomingMessage,
    response: ServerResponse,
    contextOf: NonNullable<InspectorOptions<Context>['contextOf']>,
  ): Promise<void> {
    const raw = new NodeRequest(incoming);
    const { [prefixHeader]: given } = incoming.headers;
    for (const own of [this.#base + this.#options.prefix, this.#options.prefix]) {
      const address = parseAddress(own, raw.url);
      if (address === undefined) continue;
      const isGiven = typeof given === 'string' && isPrefix(withoutInstance(given));
      const prefix = isGiven ? given : linkPrefix(own, address);
      const context = contextOf(incoming, response);
      const { instance, path } = address;
      const request = { raw, url: raw.url, prefix, path, instance, host: raw.host, context, isFromUser: true };
      await this.send(request, response);
      return;
    }
    response.writeHead(404).end();
  }
}

/** An address that names an instance leads to others that do. */
const linkPrefix = (prefix: string, { instance }: Pick<InspectionRequest, 'instance'>) =>
  instance === undefined ? prefix : withInstance(prefix, instance);

/** What only a request needs. Loaded at the first one, since applications start more often than somebody looks. */
function loadParts(): Promise<Parts> {
  parts ??= Promise.all([import('../mount.ts'), import('../handle.ts')]).then(([mount, handle]) => ({
    ...mount,
    ...handle,
  }));
  return parts;
}
type Parts = typeof import('../mount.ts') & typeof import('../handle.ts');
let parts: Promise<Parts> | undefined;
