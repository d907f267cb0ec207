import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '../http/report-error.ts';
import { fromNest, type NestModulesLike } from '../sources/nest.ts';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { HttpAdapterHost, Inject, Logger, ModulesContainer } from './nest-core.mjs';
import { nodeRequest } from './node.ts';

export { fromNest, type NestModulesLike, type NestSourceOptions } from '../sources/nest.ts';
export type { BeanInspectionOptions } from './inspector.ts';

export interface NestBeanInspectionOptions extends BeanInspectionOptions {
  /** The beans; by default, the providers of all modules. */
  readonly source?: Inspectable<IncomingMessage> | undefined;
}

/** Options that are made from other providers, such as a configuration service. */
export interface AsyncNestBeanInspectionOptions<Dependencies extends readonly unknown[] = readonly never[]> {
  readonly imports?: NestImport[];
  /** What `useFactory` gets, in this order. */
  readonly inject?: NestToken[];
  readonly useFactory: (
    ...dependencies: Dependencies
  ) => NestBeanInspectionOptions | Promise<NestBeanInspectionOptions>;
}

type NestClass = abstract new (...parameters: never[]) => unknown;
type NestModuleClass = new (...parameters: never[]) => object;
type NestImport = NestModuleClass | { module: NestModuleClass };
type NestToken = string | symbol | NestClass;

interface NestProvider {
  readonly provide: symbol;
  readonly useFactory: (...dependencies: never[]) => unknown;
  readonly inject: NestToken[];
}

/** A dynamic module, as Nest takes it. */
export interface BeanInspectionDynamicModule {
  readonly module: typeof BeanInspectionModule;
  readonly imports: NestImport[];
  readonly providers: NestProvider[];
}

type NestMiddleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** What is used of the `HttpAdapterHost` of Nest; there is no adapter in an application without HTTP. */
interface NestHttpHost {
  readonly httpAdapter?: { use(middleware: NestMiddleware): unknown };
}

const optionsToken = Symbol('options of bean inspection');

const optionName = (name: string) => `the option ${name} of BeanInspectionModule.forRoot`;

/** The providers of a Nest application as beans: `imports: [BeanInspectionModule.forRoot()]`. */
export class BeanInspectionModule {
  readonly #inspector: Inspector<IncomingMessage>;

  /** Mounts while Nest creates its modules: before the body parsers and the middleware of `main.ts`. */
  constructor(options: NestBeanInspectionOptions, host: NestHttpHost, modules: NestModulesLike) {
    const logger = new Logger('BeanInspection');
    const onReady = (message: string) => logger.log(message);
    const onError = (error: unknown, message: string) => logger.error(message, errorText(error));
    const log = (message: string) => logger.warn(message);
    const { source = fromNest(modules, { exceptModules: ['BeanInspectionModule'] }) } = options;
    const inspector = new Inspector<IncomingMessage>(
      source,
      { onReady, onError, ...options },
      { optionName, log, contextOf: (request) => request },
    );
    inspector.exposeOn(this);
    this.#inspector = inspector;
    // Without HTTP, such as in a microservice, there is nothing to mount in.
    host.httpAdapter?.use((request, response, next) => {
      const found = inspector.find(nodeRequest(request), request);
      if (found === undefined) next();
      else void inspector.send(found, response);
    });
  }

  /** Called by Nest when the application closes. */
  onModuleDestroy(): void {
    this.#inspector.close();
  }

  static forRoot(options: NestBeanInspectionOptions = {}): BeanInspectionDynamicModule {
    return BeanInspectionModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync<Dependencies extends readonly unknown[]>(
    options: AsyncNestBeanInspectionOptions<Dependencies>,
  ): BeanInspectionDynamicModule {
    const { imports = [], inject = [], useFactory } = options;
    return { module: BeanInspectionModule, imports, providers: [{ provide: optionsToken, useFactory, inject }] };
  }
}

// In place of parameter decorators, which this package cannot use.
for (const [index, token] of [optionsToken, HttpAdapterHost, ModulesContainer].entries())
  Inject(token)(BeanInspectionModule, undefined, index);
