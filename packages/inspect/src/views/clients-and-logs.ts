import { functionNames } from './shape.ts';
import { address, type Live, outOf, view } from './view-table.ts';

export const clientsAndLogs = [
  view('pino.Logger', {
    has: 'levelVal level levels',
    can: 'isLevelEnabled child',
    reads: { level: 'level', bindings: (live) => Object.keys(live.bindings()).join(', ') || undefined },
  }),
  view('winston.Logger', {
    has: 'transports exceptions profilers',
    can: 'startTimer',
    reads: {
      level: 'level',
      transports: ({ transports, level }) =>
        transports.map((each: Live) => ({
          transport: each.name ?? '',
          level: each.level ?? level,
          silent: each.silent === true,
        })),
    },
  }),
  view('prom-client.Registry', {
    has: '_metrics _collectors',
    can: 'getMetricsAsJSON',
    reads: {
      metrics: ({ _metrics }) =>
        Object.values(_metrics).map(({ name, help, constructor: ctor }: Live) => ({
          name,
          type: functionNames([ctor]),
          help,
        })),
    },
  }),
  view('axios.Axios', {
    has: 'defaults interceptors',
    can: 'request getUri',
    settings: {
      baseUrl: 'defaults.baseURL',
      timeout: { read: ({ defaults }) => defaults.timeout || undefined, unit: 'ms' },
      requestInterceptors: 'interceptors.request.handlers.length',
      responseInterceptors: 'interceptors.response.handlers.length',
    },
  }),
  view('got.Got', {
    isFunction: true,
    can: 'extend paginate stream',
    has: 'defaults',
    settings: {
      prefixUrl: ({ defaults }) => defaults.options.prefixUrl?.toString() || undefined,
      timeout: 'defaults.options.timeout.request ms',
      handlers: 'defaults.handlers.length',
    },
  }),
  view('ws.WebSocketServer', {
    has: '_state options',
    can: 'handleUpgrade shouldHandle',
    reads: { clients: 'clients.size' },
    settings: { path: 'options.path', maxPayload: 'options.maxPayload bytes' },
  }),
  view('socket.io.Server', {
    has: '_nsps parentNsps _path',
    can: 'of attach',
    reads: {
      clients: 'eio.clientsCount',
      namespaces: ({ _nsps }) =>
        [..._nsps].map(([name, { sockets, adapter }]: Live) => ({
          name,
          sockets: sockets.size,
          rooms: adapter.rooms.size,
        })),
    },
    settings: { path: '_path' },
  }),
  view('nodemailer.Transporter', {
    has: 'transporter meta',
    can: 'sendMail use',
    reads: {
      connections: outOf('transporter._connections.length', 'transporter.options.maxConnections'),
      queued: 'transporter._queue.length',
    },
    settings: {
      transport: 'transporter.name',
      server: address('transporter.options'),
      secure: 'transporter.options.secure',
    },
  }),
  view('ws.WebSocket', {
    has: 'readyState bufferedAmount url',
    can: 'ping terminate',
    reads: {
      state: ({ readyState }) => ['connecting', 'open', 'closing', 'closed'][readyState],
      buffered: 'bufferedAmount bytes',
    },
    settings: { url: 'url', protocol: ({ protocol }) => protocol || undefined },
  }),
  // Its state is under symbols without descriptions.
  view('grpc.Client', {
    can: 'getChannel waitForReady makeUnaryRequest makeBidiStreamRequest',
    reads: {
      state: (live) =>
        ['idle', 'connecting', 'ready', 'failing', 'closed'][live.getChannel().getConnectivityState(false)],
    },
    settings: {
      target: (live) => live.getChannel().getTarget(),
      methods: (live) => Object.keys(live.constructor.service ?? {}).join(', ') || undefined,
    },
  }),
  view('grpc.Server', {
    has: 'handlers boundPorts sessions shutdown',
    can: 'bindAsync addService',
    reads: {
      state: ({ shutdown, boundPorts }) =>
        shutdown ? 'shut down' : [...boundPorts.keys()].join(', ').replaceAll('dns:', '') || 'not listening',
      connections: 'sessions.size',
      methods: ({ handlers }) => [...handlers].map(([path, { type }]: Live) => ({ path, type })),
    },
  }),
];
