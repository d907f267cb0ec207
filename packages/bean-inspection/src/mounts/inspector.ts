import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BeanController } from '../beans/bean-controller.ts';
import type { OptionName } from '../http/access.ts';
import { type Address, isPrefix, mountPath, withoutOrigin } from '../http/address.ts';
import { addressLine, addressOf, agentLineFor, hasConsole, isDevelopment } from '../http/first-request.ts';
import type { InspectionRequest, RawRequest } from '../http/inspection-request.ts';
import { prefixHeader } from '../http/instance-headers.ts';
import { type MountedRequest, NodeRequest } from '../http/node-request.ts';
import { BeanProblem, isBeanProblem, type ProblemForm } from '../http/problem.ts';
import { guardOnError, guardTold, logToConsole, type OnError } from '../http/report-error.ts';
import { addressParser } from '../http/resource-names.ts';
import type { Announcement } from '../instances/announcement.ts';
import { Instances, type PeerList } from '../instances/instances.ts';
import { type AnswerSender, nodeSender } from '../resources/send-answer.ts';
import type { BeanSource } from '../sources/bean-source.ts';
import { type Inspectable, toBeanSource } from '../sources/plain.ts';
import { recordingOptions, type ThresholdEvent } from '../watch/recording-options.ts';
import { type BeanInspectionOptions, type ParsedOptions, parseOptions } from './options.ts';

export type { BeanInspectionOptions } from './options.ts';

/** Answers requests below its prefix and returns true; returns false for all others, and leaves them alone. */
export type BeanInspectionHandler = (request: MountedRequest, response: ServerResponse) => Promise<boolean>;

/** The beans of a source over HTTP, for anything that has a request and a response of `node:http`. */
export function beanInspection(
  source: Inspectable<IncomingMessage>,
  options: BeanInspectionOptions = {},
): BeanInspectionHandler {
  const inspector = new Inspector(source, options, { contextOf: (request) => request });
  return inspector.standsBehind(async (request, response) => {
    const found = inspector.find(new NodeRequest(request), request);
    if (found === undefined) return false;
    await inspector.answer(found, nodeSender(response));
    return true;
  });
}

/** A request that asks for beans, and what it asks for. */
export interface FoundRequest<Context> {
  readonly address: Address;
  readonly request: InspectionRequest<Context>;
}

export interface MountOptions<Context = unknown> {
  /** Where a line is written that is no error; the console by default. */
  readonly log?: (message: string) => void;
  /** How options are called in the words of the mount. */
  readonly optionName?: OptionName;
  /** What the source gets for a request that came over the socket, past the framework. Without it, there is no socket. */
  readonly contextOf?: (request: IncomingMessage, response: ServerResponse) => Context;
  /** Whether it was brought into the process from outside. */
  readonly attached?: boolean;
  /** What was made of the source already, as our host does. */
  readonly controller?: BeanController<Context>;
  /** What the page of the list says above it. */
  readonly note?: (() => string | undefined) | undefined;
}

/** What all mounts share: it recognises the requests that are for it, and answers them. */
export class Inspector<Context> {
  readonly #source: BeanSource<Context>;
  readonly #options: ParsedOptions;
  readonly #mount: MountOptions<Context>;
  readonly #enabled: boolean;
  readonly #onError: OnError;
  readonly #closing = new AbortController();
  readonly #onReady: ((message: string) => void) | undefined;
  readonly #instances: Instances;
  /** Made when somebody looks. */
  #controller: BeanController<Context> | undefined;
  /** The path that a framework has mounted it at, as far as that is known. */
  #base = '';
  #isFirst = true;

  constructor(source: Inspectable<Context>, options: BeanInspectionOptions, mount: MountOptions<Context> = {}) {
    const { enabled = process.env.NODE_ENV !== 'production', onReady = console.log } = options;
    this.#options = parseOptions(options);
    this.#source = toBeanSource(source);
    this.#mount = mount;
    this.#enabled = enabled;
    this.#onError = guardOnError(options.onError ?? logToConsole);
    this.#onReady = isDevelopment() ? guardTold('onReady', onReady) : undefined;
    const { instance, application, prefix, watch } = this.#options;
    this.#instances = new Instances({ instance, application, prefix, peers: peerList(this.#options) });
    if (mount.controller !== undefined) this.standsBehind(mount.controller);
    if (enabled && watch.length > 0) void this.#record();
    const { contextOf } = mount;
    if (enabled && (options.announce ?? isDevelopment()) && contextOf !== undefined)
      this.#instances.announce(
        (request, response) => void this.answerOnSocket(request, response, contextOf),
        mount.attached,
      );
  }

  get #prefix(): string {
    return this.#options.prefix;
  }

  /** What others of the same user read of this one, if they can find it. */
  get announcement(): Announcement | undefined {
    return this.#instances.announcement;
  }

  /** The request, if it asks for beans; undefined when it is for the application. */
  find(raw: RawRequest, context: Context): FoundRequest<Context> | undefined {
    if (!this.#enabled) return undefined;
    const { url, wholeUrl } = raw;
    const target = withoutOrigin(wholeUrl);
    const base = mountPath(withoutOrigin(url), target);
    if (this.#isFirst) this.tellAddress(raw, base);
    // The prefix may name the path that it is mounted at, or not.
    const below = base === '' ? undefined : addressParser.parse(base + this.#prefix, target);
    const address = below ?? addressParser.parse(this.#prefix, target);
    if (address === undefined) return undefined;
    const prefix = below === undefined ? this.#prefix : base + this.#prefix;
    return { address, request: { raw, url: wholeUrl, prefix, host: raw.host, context } };
  }

  /** Answers a request that was found. Never rejects. */
  async answer({ address, request }: FoundRequest<Context>, sender: AnswerSender): Promise<void> {
    try {
      const parts = answering ?? (await loadAnswering());
      const controller = this.#controllerBy(parts);
      if (parts.isNegotiated(address)) sender.addVary('Accept');
      sender.setInstance(this.#instances.here.id);
      const coming = parts.answer(controller, address, request, this.#instances);
      const given = coming instanceof Promise ? await coming : coming;
      if ('page' in given) (await parts.pages()).recordProcess(controller);
      if (given.instance !== undefined) sender.setInstance(given.instance);
      await sender.send(given);
    } catch (error) {
      try {
        const problem = isBeanProblem(error)
          ? error
          : unexpected(error, answering?.problemForm(address, request) ?? 'json');
        // Who may not look is not told the name of the machine.
        if (problem.status === 401 || problem.status === 403) sender.setInstance(undefined);
        if (problem.status >= 500) this.#onError(problem.cause, problem.message);
        sender.sendProblem(problem);
      } catch (failure) {
        this.#onError(failure, 'The problem could not be sent, so the connection was closed.');
        sender.abort();
      }
    }
  }

  /**
   * Lets what the application gets of its mount stand for the beans, as `observeReadings` takes it. By a registered
   * symbol, since an application may have loaded two copies of this package.
   */
  standsBehind<Handle extends object>(handle: Handle): Handle {
    const value = (parts: Answering) => this.#controllerBy(parts);
    return Object.defineProperty(handle, Symbol.for('jig.beanController'), { value, configurable: true });
  }

  /** Ends all event streams and recording, so that the server can close. */
  close(): void {
    this.#closing.abort();
    if (this.#controller !== undefined) answering?.streamsOf(this.#controller).close();
    this.#instances.close();
  }

  /** The controller; made once, also for a request that comes when it is closed already. */
  #controllerBy(parts: Answering): BeanController<Context> {
    if (this.#controller !== undefined) return this.#controller;
    const { createController, measureProcess, streamsOf, withProcess } = parts;
    const [onError, { signal }] = [this.#onError, this.#closing];
    const { optionName, note, controller: given } = this.#mount;
    const controller =
      given ?? createController(withProcess(this.#source), this.#options, { optionName, onError, note });
    controller.onFirstLook(() => measureProcess(controller));
    if (this.#enabled) prepareRecording(controller, this.#options, { ...this.#mount, onError, signal });
    if (signal.aborted) streamsOf(controller).close();
    this.#controller = controller;
    return controller;
  }

  /** Begins to record what the application wants from the start. Never rejects. */
  async #record(): Promise<void> {
    try {
      const parts = await loadAnswering();
      (await parts.pages()).recorderOf(this.#controllerBy(parts));
    } catch (error) {
      this.#onError(error, 'What the option watch names could not be recorded.');
    }
  }

  /** At the first request, tells other processes where this one is, and in development the developer where the beans are. */
  tellAddress({ socket }: Pick<RawRequest, 'socket'>, base = ''): void {
    if (!this.#isFirst || !this.#enabled) return;
    this.#isFirst = false;
    this.#base = base;
    const prefix = base + this.#prefix;
    const { localPort } = socket;
    if (localPort !== undefined) this.#instances.update(addressOf(socket, ''), prefix);
    const onReady = this.#onReady;
    if (onReady === undefined) return;
    const isInConsole = this.#instances.isAnnounced && hasConsole(process.cwd());
    onReady(addressLine(socket, prefix, isInConsole));
    const options = { hasToken: this.#options.token !== undefined, isInConsole };
    if (this.#options.mcp !== false) onReady(agentLineFor(socket, prefix, options));
  }

  /** Answers another process of the same user. Links are those of the one who passes the request on. */
  async answerOnSocket(
    incoming: IncomingMessage,
    response: ServerResponse,
    contextOf: NonNullable<MountOptions<Context>['contextOf']>,
  ): Promise<void> {
    const raw = new NodeRequest(incoming);
    const prefixes = [this.#base + this.#prefix, this.#prefix];
    const [own] = prefixes.filter((prefix) => addressParser.parse(prefix, raw.url) !== undefined);
    if (own === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { [prefixHeader]: given } = incoming.headers;
    const prefix = typeof given === 'string' && isPrefix(given) ? given : own;
    const url = prefix + raw.url.slice(own.length);
    const address = addressParser.parse(prefix, url);
    const request = { raw, url, prefix, host: raw.host, context: contextOf(incoming, response), isFromUser: true };
    if (address !== undefined) await this.answer({ address, request }, nodeSender(response));
  }
}

type Answering = typeof import('./answering.ts').answering;
let answering: Answering | undefined;

async function loadAnswering(): Promise<Answering> {
  answering ??= (await import('./answering.ts')).answering;
  return answering;
}

function peerList({ peers, token, prefix }: ParsedOptions): PeerList | undefined {
  if (peers === undefined || token === undefined) return undefined;
  const options = { peers, token, prefix };
  return async (isFresh) => (await (await loadAnswering()).pages()).peerInstances(options, isFresh);
}

/** Says what to do when something is recorded. */
function prepareRecording<Context>(
  controller: BeanController<Context>,
  { watch, onThreshold = () => {} }: ParsedOptions,
  { onError, signal, log = console.warn }: MountOptions & { onError: OnError; signal: AbortSignal },
): void {
  const tell = guardTold('onThreshold', onThreshold, onError);
  const write = guardTold('log', log);
  recordingOptions.set(controller, {
    watch,
    signal,
    onThreshold(event) {
      write(thresholdLine(event));
      tell(event);
    },
    async keepSnapshot(name) {
      const { snapshotLimits, snapshotsOf } = await (await loadAnswering()).pages();
      const kept = snapshotsOf(controller).keep({ name: name.slice(0, snapshotLimits.name), isEvidence: true });
      return (await kept).id;
    },
  });
}

/** Names in quotes, since they may hold line breaks. */
const thresholdLine = ({ bean, at, reading, crossed, limit, value }: ThresholdEvent) =>
  `bean inspection: ${JSON.stringify(at ?? reading)} of the bean ${JSON.stringify(bean)} is ${value}, ${crossed} its limit ${limit}`;

function unexpected(cause: unknown, form: ProblemForm): BeanProblem {
  return new BeanProblem(500, 'Something went wrong on our side; it has been logged.', { form, cause });
}
