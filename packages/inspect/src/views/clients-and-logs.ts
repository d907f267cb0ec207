import { can, endpoint, functionNames, has } from './shape.ts';
import { setting, type View, type With } from './view.ts';

interface Pino {
  readonly level: string;
  bindings(): object;
}

export const pino: View<Pino> = {
  name: 'pino.Logger',
  matches: (value): value is Pino => has(value, 'levelVal', 'level', 'levels') && can(value, 'isLevelEnabled', 'child'),
  readings: {
    level: { read: ({ level }) => level },
    bindings: { read: (logger) => Object.keys(logger.bindings()).join(', ') || undefined },
  },
};

interface Winston {
  readonly level: string;
  readonly transports: readonly { readonly name?: string; readonly level?: string; readonly silent?: boolean }[];
}

export const winston: View<Winston> = {
  name: 'winston.Logger',
  matches: (value): value is Winston => has(value, 'transports', 'exceptions', 'profilers') && can(value, 'startTimer'),
  readings: {
    level: { read: ({ level }) => level },
    transports: {
      read: ({ transports, level }) =>
        transports.map((each) => ({
          transport: each.name ?? '',
          level: each.level ?? level,
          silent: each.silent === true,
        })),
    },
  },
};

interface PromRegistry {
  readonly _metrics: Readonly<Record<string, { readonly name: string; readonly help: string } & object>>;
}

export const promRegistry: View<PromRegistry> = {
  name: 'prom-client.Registry',
  matches: (value): value is PromRegistry => has(value, '_metrics', '_collectors') && can(value, 'getMetricsAsJSON'),
  readings: {
    metrics: {
      read: ({ _metrics }) =>
        Object.values(_metrics).map((metric) => ({
          name: metric.name,
          type: functionNames([metric.constructor]),
          help: metric.help,
        })),
    },
  },
};

type Interceptors = With<'handlers', readonly unknown[]>;

type Axios = With<'defaults', With<string>> & With<'interceptors', With<'request' | 'response', Interceptors>>;

export const axios: View<Axios> = {
  name: 'axios.Axios',
  matches: (value): value is Axios => has(value, 'defaults', 'interceptors') && can(value, 'request', 'getUri'),
  readings: {
    baseUrl: setting(({ defaults }) => defaults.baseURL),
    timeout: setting(({ defaults }) => defaults.timeout || undefined, 'ms'),
    requestInterceptors: setting(({ interceptors }) => interceptors.request.handlers.length),
    responseInterceptors: setting(({ interceptors }) => interceptors.response.handlers.length),
  },
};

interface Got {
  readonly defaults: {
    readonly options: { readonly prefixUrl?: URL | string; readonly timeout?: { readonly request?: number } };
    readonly handlers: readonly unknown[];
  };
}

export const got: View<Got> = {
  name: 'got.Got',
  matches: (value): value is Got =>
    typeof value === 'function' && can(value, 'extend', 'paginate', 'stream') && has(value, 'defaults'),
  readings: {
    prefixUrl: setting(({ defaults }) => defaults.options.prefixUrl?.toString() || undefined),
    timeout: setting(({ defaults }) => defaults.options.timeout?.request, 'ms'),
    handlers: setting(({ defaults }) => defaults.handlers.length),
  },
};

interface WebSocketServer {
  readonly clients?: ReadonlySet<unknown>;
  readonly options: { readonly path?: string | null; readonly maxPayload?: number };
}

export const webSocketServer: View<WebSocketServer> = {
  name: 'ws.WebSocketServer',
  matches: (value): value is WebSocketServer =>
    has(value, '_state', 'options') && can(value, 'handleUpgrade', 'shouldHandle'),
  readings: {
    clients: { read: ({ clients }) => clients?.size },
    path: setting(({ options }) => options.path),
    maxPayload: setting(({ options }) => options.maxPayload, 'bytes'),
  },
};

type Sized = With<'size', number>;
type Namespace = With<'sockets', Sized> & With<'adapter', With<'rooms', Sized>>;

interface SocketIo {
  readonly _nsps: ReadonlyMap<string, Namespace>;
  readonly eio?: { readonly clientsCount?: number };
  readonly _path: string;
}

export const socketIo: View<SocketIo> = {
  name: 'socket.io.Server',
  matches: (value): value is SocketIo => has(value, '_nsps', 'parentNsps', '_path') && can(value, 'of', 'attach'),
  readings: {
    clients: { read: ({ eio }) => eio?.clientsCount },
    namespaces: {
      read: ({ _nsps }) =>
        [..._nsps].map(([name, { sockets, adapter }]) => ({ name, sockets: sockets.size, rooms: adapter.rooms.size })),
    },
    path: setting(({ _path }) => _path),
  },
};

interface Nodemailer {
  readonly transporter: {
    readonly name?: string;
    readonly options?: With<string>;
    readonly _queue?: readonly unknown[];
    readonly _connections?: readonly unknown[];
  };
}

export const nodemailer: View<Nodemailer> = {
  name: 'nodemailer.Transporter',
  matches: (value): value is Nodemailer => has(value, 'transporter', 'meta') && can(value, 'sendMail', 'use'),
  readings: {
    connections: {
      read: ({ transporter }) => transporter._connections?.length,
      of: ({ transporter }) => transporter.options?.maxConnections,
    },
    queued: { read: ({ transporter }) => transporter._queue?.length },
    transport: setting(({ transporter }) => transporter.name),
    server: setting(({ transporter: { options } }) => endpoint(options?.host, options?.port)),
    secure: setting(({ transporter }) => transporter.options?.secure),
  },
};

type WebSocketClient = With<'readyState', number> & With<'bufferedAmount' | 'url' | 'protocol'>;

export const webSocket: View<WebSocketClient> = {
  name: 'ws.WebSocket',
  matches: (value): value is WebSocketClient =>
    has(value, 'readyState', 'bufferedAmount', 'url') && can(value, 'ping', 'terminate'),
  readings: {
    state: { read: ({ readyState }) => ['connecting', 'open', 'closing', 'closed'][readyState] },
    buffered: { read: ({ bufferedAmount }) => bufferedAmount, unit: 'bytes' },
    // Those of a server have none.
    url: setting(({ url }) => url),
    protocol: setting(({ protocol }) => protocol || undefined),
  },
};

interface GrpcClient {
  readonly constructor: { readonly service?: object };
  getChannel(): { getTarget(): string; getConnectivityState(tryToConnect: boolean): number };
}

const grpcStates = ['idle', 'connecting', 'ready', 'failing', 'closed'];

/** All that it has is under symbols without names. */
export const grpcClient: View<GrpcClient> = {
  name: 'grpc.Client',
  matches: (value): value is GrpcClient =>
    can(value, 'getChannel', 'waitForReady', 'makeUnaryRequest', 'makeBidiStreamRequest'),
  readings: {
    state: { read: (client) => grpcStates[client.getChannel().getConnectivityState(false)] },
    target: setting((client) => client.getChannel().getTarget()),
    methods: setting((client) => Object.keys(client.constructor.service ?? {}).join(', ') || undefined),
  },
};

interface GrpcServer {
  readonly handlers: ReadonlyMap<string, { readonly type: string }>;
  readonly boundPorts: ReadonlyMap<string, unknown>;
  readonly sessions: ReadonlyMap<unknown, unknown>;
  readonly shutdown: boolean;
}

export const grpcServer: View<GrpcServer> = {
  name: 'grpc.Server',
  matches: (value): value is GrpcServer =>
    has(value, 'handlers', 'boundPorts', 'sessions', 'shutdown') && can(value, 'bindAsync', 'addService'),
  readings: {
    state: {
      read: ({ shutdown, boundPorts }) =>
        shutdown ? 'shut down' : [...boundPorts.keys()].join(', ').replaceAll('dns:', '') || 'not listening',
    },
    connections: { read: ({ sessions }) => sessions.size },
    methods: { read: ({ handlers }) => [...handlers].map(([path, { type }]) => ({ path, type })) },
  },
};
