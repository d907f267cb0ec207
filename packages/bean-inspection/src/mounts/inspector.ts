import type { IncomingMessage, ServerResponse } from 'node:http';
import { type MaskingOptions, Secrets, type View } from '@jig/inspect';
import { defaultDepth, defaultText, defaultViews } from '@jig/inspect/internal';
import { BeanController } from '../beans/bean-controller.ts';
import { defaultCreateTimeout } from '../beans/bean-creation.ts';
import { type MetricOptions, metricsProblem } from '../beans/metric-options.ts';
import { type AccessRules, isToken, type OptionName, tokenRule } from '../http/access.ts';
import { type Address, isPrefix, mountPath, parsePrefix, withoutOrigin } from '../http/address.ts';
import { addressLine, addressOf, agentLineFor, hasConsole, isDevelopment } from '../http/first-request.ts';
import type { InspectionRequest, RawRequest } from '../http/inspection-request.ts';
import { prefixHeader } from '../http/instance-headers.ts';
import { type MountedRequest, NodeRequest } from '../http/node-request.ts';
import { BeanProblem, isBeanProblem, type ProblemForm } from '../http/problem.ts';
import { defaultCharacters, fewestCharacters, type InspectionLimits } from '../http/query-parameters.ts';
import { guardOnError, guardTold, logToConsole, type OnError } from '../http/report-error.ts';
import type { Announcement } from '../instances/announcement.ts';
import { isInstanceId } from '../instances/identity.ts';
import { Instances, type PeerList } from '../instances/instances.ts';
import type { Peers } from '../instances/peers.ts';
import { streamsOf } from '../live/live-streams.ts';
import { processView } from '../process/process-view.ts';
import { withProcess } from '../process/with-process.ts';
import { measureProcess } from '../readings/measure-process.ts';
import { answer, isNegotiated, problemForm } from '../resources/answer.ts';
import { pages } from '../resources/page-resources.ts';
import { addressParser } from '../resources/resources.ts';
import { type AnswerSender, nodeSender } from '../resources/send-answer.ts';
import type { BeanCreation, BeanSource } from '../sources/bean-source.ts';
import { type Inspectable, toBeanSource } from '../sources/plain.ts';
import {
  parseWatch,
  recordingOptions,
  type ThresholdEvent,
  type WatchedReading,
  watchRule,
} from '../watch/recording-options.ts';

export interface BeanInspectionOptions
  extends Partial<AccessRules>,
    Partial<InspectionLimits>,
    Pick<MaskingOptions, 'mask' | 'reveal'> {
  /** All addresses begin with it; `/jig` by default. */
  readonly prefix?: string;
  /** Whether beans can be inspected; by default, unless `NODE_ENV` is `production`. */
  readonly enabled?: boolean | undefined;
  /** What pages call the application; by default, the name in the `package.json` by which npm started it. */
  readonly application?: string | undefined;
  /** When a bean is created that does not exist: when somebody looks at it, or only when somebody asks for it; by default, what the source says. */
  readonly create?: BeanCreation | undefined;
  /** How many milliseconds a request waits for a bean that is being created; 10,000 by default. */
  readonly createTimeout?: number | undefined;
  /** Texts that are masked wherever they appear. */
  readonly secrets?: Iterable<string> | undefined;
  /** What is known of classes of yours, before the built-in views; false for no views at all, the built-in ones neither. */
  readonly views?: readonly View[] | false | undefined;
  /** What this process is called among others of the application, in `Jig-Instance`; by default, host name, process id and thread. */
  readonly instance?: string | undefined;
  /** Whether other processes of the same user find this one, by a file and a Unix socket; by default in development. */
  readonly announce?: boolean | undefined;
  /** Addresses of instances on other machines, such as `http://10.0.0.5:3000`, or a function that gives them. They need the same token. */
  readonly peers?: Peers | undefined;
  /** Whether coding agents can look at beans, by the Model Context Protocol at `/mcp` below the prefix; true by default. */
  readonly mcp?: boolean | undefined;
  /** How many characters an answer to a coding agent may have; 32,000 by default. */
  readonly mcpCharacters?: number | undefined;
  /** Values of beans that `/metrics` below the prefix exports beside readings of views, by the name of the metric. */
  readonly metrics?: MetricOptions | undefined;
  /** Values that are recorded from the start, each by a reading of its bean or a JSON Pointer, with limits if wanted. */
  readonly watch?: readonly WatchedReading[] | undefined;
  /** Called when a value that is recorded crosses one of its limits; for each limit once a minute at most. */
  readonly onThreshold?: ((event: ThresholdEvent) => unknown) | undefined;
  /** Called at the first request in development, with a line that says where the list is, and one for coding agents; writes to the console by default. */
  readonly onReady?: ((message: string) => void) | undefined;
  /** Called when a bean cannot be created or a document fails, with what was thrown: mostly an error, but it may be anything. Writes to the console by default. */
  readonly onError?: OnError | undefined;
}

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
}

/** What all mounts share: it recognises the requests that are for it, and answers them. */
export class Inspector<Context> {
  readonly #controller: BeanController<Context>;
  readonly #prefix: string;
  readonly #enabled: boolean;
  readonly #hasToken: boolean;
  readonly #onError: OnError;
  readonly #closing = new AbortController();
  #onReady: ((message: string) => void) | undefined;
  readonly #instances: Instances;
  /** The path that a framework has mounted it at, as far as that is known. */
  #base = '';
  #isFirst = true;

  /** @param source the beans, or a controller that was made of them */
  constructor(
    source: Inspectable<Context> | BeanController<Context>,
    options: BeanInspectionOptions,
    mount: MountOptions<Context> = {},
  ) {
    const { enabled = process.env.NODE_ENV !== 'production', onReady = console.log } = options;
    this.#prefix = parsePrefix(options.prefix);
    this.#enabled = enabled;
    this.#onError = guardOnError(options.onError ?? logToConsole);
    this.#onReady = isDevelopment() ? guardTold('onReady', onReady) : undefined;
    this.#hasToken = options.token !== undefined;
    this.#instances = new Instances({
      instance: parseInstance(options.instance),
      application: options.application,
      prefix: this.#prefix,
      peers: parsePeers(options, this.#prefix),
    });
    this.#controller =
      source instanceof BeanController
        ? source
        : createController(withProcess(toBeanSource(source)), options, { ...mount, onError: this.#onError });
    if (source === this.#controller) this.standsBehind(source);
    this.#controller.onFirstLook(() => measureProcess(this.#controller));
    if (enabled)
      prepareRecording(this.#controller, options, { ...mount, onError: this.#onError, signal: this.#closing.signal });
    const { contextOf } = mount;
    if (enabled && (options.announce ?? isDevelopment()) && contextOf !== undefined)
      this.#instances.announce(
        (request, response) => void this.answerOnSocket(request, response, contextOf),
        mount.attached,
      );
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
      if (isNegotiated(address)) sender.addVary('Accept');
      sender.setInstance(this.#instances.here.id);
      const coming = answer(this.#controller, address, request, this.#instances);
      const given = coming instanceof Promise ? await coming : coming;
      if ('page' in given) (await recording()).recordProcess(this.#controller);
      if (given.instance !== undefined) sender.setInstance(given.instance);
      await sender.send(given);
    } catch (error) {
      try {
        const problem = isBeanProblem(error) ? error : unexpected(error, problemForm(address, request));
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
    const value = this.#controller;
    return Object.defineProperty(handle, Symbol.for('jig.beanController'), { value, configurable: true });
  }

  /** Ends all event streams and recording, so that the server can close. */
  close(): void {
    streamsOf(this.#controller).close();
    this.#closing.abort();
    this.#instances.close();
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
    const options = { hasToken: this.#hasToken, isInConsole };
    if (this.#controller.agents.mcp) onReady(agentLineFor(socket, prefix, options));
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

export function createController<Context>(
  source: BeanSource<Context>,
  options: BeanInspectionOptions,
  {
    onError,
    optionName = (name) => `the option ${name} of beanInspection`,
  }: Pick<MountOptions, 'optionName'> & { onError: OnError },
): BeanController<Context> {
  const { hosts = [], allow = [], deny = [], mask, reveal } = options;
  const { depth = defaultDepth, limit = 0, textLimit = defaultText, timeBudget = 30_000 } = options;
  const { application = process.env.npm_package_name, mcp = true, mcpCharacters = defaultCharacters } = options;
  const token = parseToken(options.token);
  const secrets = new Secrets();
  for (const secret of [...(options.secrets ?? []), token ?? '']) secrets.add(secret);
  const { privateFields = false } = options;
  const limits = { depth, limit, textLimit, timeBudget, getters: parseGetters(options.getters), privateFields };
  const rules = { token, hosts, allow, deny, mask, reveal, optionName };
  return new BeanController(source, secrets, {
    ...limits,
    ...rules,
    application,
    metrics: parseMetrics(options.metrics),
    views: parseViews(options.views, limits.getters),
    create: parseCreation(options.create),
    createTimeout: parseTimeout(options.createTimeout),
    agents: { mcp, mcpCharacters: parseCharacters(mcpCharacters), onError },
  });
}

let loaded: typeof import('../watch/recording.ts') | undefined;

/** Loaded when something is recorded, since most applications are asked for no page; and once, since importing again is slow. */
async function recording(): Promise<typeof import('../watch/recording.ts')> {
  loaded ??= await import('../watch/recording.ts');
  return loaded;
}

/** Says what to do when something is recorded, and begins where the application asks for it. */
function prepareRecording<Context>(
  controller: BeanController<Context>,
  { watch = [], onThreshold = () => {} }: BeanInspectionOptions,
  { onError, signal, log = console.warn }: MountOptions & { onError: OnError; signal: AbortSignal },
): void {
  const wanted = parseWatch(watch);
  if (wanted === undefined) throw new TypeError(`The option watch of beanInspection must be ${watchRule}.`);
  const tell = guardTold('onThreshold', onThreshold, onError);
  const write = guardTold('log', log);
  recordingOptions.set(controller, {
    watch: wanted,
    signal,
    onThreshold(event) {
      write(thresholdLine(event));
      tell(event);
    },
    async keepSnapshot(name) {
      const { snapshotLimits, snapshotsOf } = await import('../compare/snapshots.ts');
      const kept = snapshotsOf(controller).keep({ name: name.slice(0, snapshotLimits.name), isEvidence: true });
      return (await kept).id;
    },
  });
  if (wanted.length > 0) void recording().then(({ recorderOf }) => recorderOf(controller));
}

/** Names in quotes, since they may hold line breaks. */
const thresholdLine = ({ bean, at, reading, crossed, limit, value }: ThresholdEvent) =>
  `bean inspection: ${JSON.stringify(at ?? reading)} of the bean ${JSON.stringify(bean)} is ${value}, ${crossed} its limit ${limit}`;

function unexpected(cause: unknown, form: ProblemForm): BeanProblem {
  return new BeanProblem(500, 'Something went wrong on our side; it has been logged.', { form, cause });
}

function parseToken(token: string | undefined): string | undefined {
  if (token === undefined || isToken(token)) return token;
  throw new TypeError(`The option token of beanInspection must have ${tokenRule}.`);
}

function parseInstance(instance: string | undefined): string | undefined {
  if (instance === undefined || isInstanceId(instance)) return instance;
  throw new TypeError(
    `The option instance of beanInspection must have 1 to 200 letters, digits or characters of ._:~-, and not be all.`,
  );
}

function parsePeers({ peers, token }: BeanInspectionOptions, prefix: string): PeerList | undefined {
  if (peers === undefined) return undefined;
  if (typeof peers !== 'function' && !Array.isArray(peers))
    throw new TypeError(
      'The option peers of beanInspection must be a list of addresses, or a function that gives one.',
    );
  if (token === undefined)
    throw new TypeError('The option peers of beanInspection needs the option token, which the peers have too.');
  const options = { peers, token, prefix };
  return async (isFresh) => (await pages()).peerInstances(options, isFresh);
}

function parseCreation(create: BeanCreation | undefined): BeanCreation | undefined {
  if (create === undefined || create === 'ask' || create === 'look') return create;
  throw new TypeError(`The option create of beanInspection must be 'ask' or 'look', not ${String(create)}.`);
}

function parseGetters(getters: InspectionLimits['getters'] = 'run'): InspectionLimits['getters'] {
  if (getters === 'run' || getters === 'own' || getters === 'none') return getters;
  throw new TypeError(`The option getters of beanInspection must be 'run', 'own' or 'none', not ${String(getters)}.`);
}

function parseViews(views: BeanInspectionOptions['views'] = [], getters: InspectionLimits['getters']): readonly View[] {
  if (views === false) return [];
  if (Array.isArray(views)) return [...views, processView, ...defaultViews(getters)];
  throw new TypeError('The option views of beanInspection must be a list of views, or false.');
}

function parseMetrics(metrics: MetricOptions = {}): MetricOptions {
  const problem = metricsProblem(metrics);
  if (problem === undefined) return metrics;
  throw new TypeError(`The option metrics of beanInspection must have ${problem}.`);
}

/** A timer cannot run longer. */
const longestTimeout = 2 ** 31 - 1;

function parseTimeout(timeout = defaultCreateTimeout): number {
  if (Number.isSafeInteger(timeout) && timeout > 0 && timeout <= longestTimeout) return timeout;
  throw new TypeError(`The option createTimeout of beanInspection must be a number of milliseconds, not ${timeout}.`);
}

function parseCharacters(characters: number): number {
  if (Number.isSafeInteger(characters) && characters >= fewestCharacters) return characters;
  throw new TypeError(
    `The option mcpCharacters of beanInspection must be a whole number of at least ${fewestCharacters}, not ${characters}.`,
  );
}
