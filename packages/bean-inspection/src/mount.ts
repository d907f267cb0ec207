import { type MaskingOptions, Secrets } from '@jig/inspect';
import { defaultDepth, defaultViews } from '@jig/inspect/internal';
import { Beans, type BeansOptions } from './beans/beans.ts';
import { CurrentMasking, Look, type LookOptions } from './beans/look.ts';
import { Snapshots } from './compare/snapshots.ts';
import { Access, type AccessRules, type OptionName } from './http/access.ts';
import type { OnError } from './http/report-error.ts';
import type { InspectionRequest } from './http/request.ts';
import type { Instances } from './instances/instances.ts';
import { LiveStreams } from './live/live-streams.ts';
import { beanMcpServer } from './mcp/endpoint.ts';
import type { McpServer } from './mcp/mcp-server.ts';
import type { MetricOptions, ParsedOptions, ThresholdEvent, WatchedReading } from './options.ts';
import { Readings } from './readings/readings.ts';
import type { BeanSource } from './sources/bean-source.ts';
import { ProcessBean, processName, processView, withProcess } from './sources/process.ts';
import { mainReadings, Recorder } from './watch/recorder.ts';

export interface MountOptions extends AccessRules, LookOptions, BeansOptions, Pick<MaskingOptions, 'mask' | 'reveal'> {
  /** How error messages name an option. */
  readonly optionName: OptionName;
  readonly secrets: Secrets;
  readonly instances: Instances;
  /** The start page that pages link to. */
  readonly startPage?: string | undefined;
  /** What pages call the application. */
  readonly application?: string | undefined;
  /** A note above the list of beans. */
  readonly note?: (() => string | undefined) | undefined;
  /** Metrics besides those of views. */
  readonly metrics: MetricOptions;
  /** Values to record from the start. */
  readonly watch: readonly WatchedReading[];
  /** Called when a value crosses a threshold. Must not throw. */
  readonly onThreshold?: ((event: ThresholdEvent) => void) | undefined;
  /** Whether coding agents can look at beans. */
  readonly mcp: boolean;
  /** The health of the application, besides that of the process. */
  health?(context: unknown): Promise<object>;
  /** Called with errors whose details the client does not see. */
  readonly onError: OnError;
}

/** One mount of bean inspection, with everything it holds. */
export class Mount {
  readonly options: MountOptions;
  readonly instances: Instances;
  readonly access: Access;
  readonly beans: Beans;
  readonly look: Look;
  readonly streams = new LiveStreams();
  readonly snapshots = new Snapshots(this);
  readonly readings = new Readings(this);
  readonly recorder: Recorder;
  readonly mcpServer: McpServer<InspectionRequest>;
  #isStarted = false;
  #recordsProcess = false;
  readonly #closing = new AbortController();

  constructor(source: BeanSource, options: MountOptions) {
    const masking = new CurrentMasking(options.secrets, options);
    this.options = options;
    this.instances = options.instances;
    this.access = new Access(options, options.optionName);
    this.beans = new Beans(source, this.access, () => masking.ofBeans, options);
    this.look = new Look(this.beans, masking, options);
    this.mcpServer = beanMcpServer(this);
    // Last, since it begins to record what the option `watch` names.
    this.recorder = new Recorder(this);
  }

  /** Called at the first authorized request, so that an application that is not inspected pays nothing. */
  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#process?.measure();
  }

  /** Records the process from the first page on; once, since users can remove values. */
  recordProcess(): void {
    if (this.#recordsProcess) return;
    this.#recordsProcess = true;
    const hasView = this.options.views.some(({ name }) => name === processView.name);
    if (this.#process === undefined || !hasView) return;
    for (const reading of mainReadings) if (!this.recorder.isFull) this.recorder.record({ bean: processName, reading });
  }

  /** Undefined if the application has a bean of that name. */
  get #process(): ProcessBean | undefined {
    const found = this.beans.find(processName);
    return typeof found === 'object' && found.value instanceof ProcessBean ? found.value : undefined;
  }

  /** Aborts when the application closes. */
  get closeSignal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends all event streams and recording, so that the server can close. */
  close(): void {
    this.#closing.abort();
    this.streams.close();
    this.recorder.close();
    this.instances.close();
  }
}

/** What creators of a mount set besides the parsed options, which it overrides. */
export type MountContext = Partial<MountOptions> & Pick<MountOptions, 'instances' | 'onError'>;

export function createMount(source: BeanSource, options: ParsedOptions, context: MountContext): Mount {
  const { token, getters, views } = options;
  const secrets = new Secrets();
  for (const secret of [...options.secrets, token ?? '']) secrets.add(secret);
  return new Mount(withProcess(source), {
    ...options,
    token,
    depth: options.depth ?? defaultDepth,
    limit: options.limit ?? 0,
    privateFields: options.privateFields ?? true,
    application: options.application ?? process.env.npm_package_name,
    mcp: options.mcp ?? true,
    views: views === false ? [] : [...views, processView, ...defaultViews(getters)],
    secrets,
    optionName: (name) => `the option ${name} of beanInspection`,
    ...context,
  });
}
