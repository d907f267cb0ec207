import { bySymbol, endpoint, functionNames, isA, type Traits } from './shape.ts';
import { type Live, outOf, view } from './view-table.ts';

// What `has`, `can`, `named`, `is` and texts such as 'requestTimeout ms' mean is described in view-table.ts.

/** Modules of Node are loaded on first use: loading them takes longer than loading this package. */
const isInstance = (value: object, module: string, name: string) =>
  isA(value, (process.getBuiltinModule(module) as Live)[name]);
const instanceOf = (module: string, name: string) => ({
  named: name,
  is: (value: object) => isInstance(value, module, name),
});

/** Prototypes, such as `express.request`, have no events of their own. */
const isEmitter = (value: object) =>
  isInstance(value, 'node:events', 'EventEmitter') && Object.hasOwn(value, '_events');
const isHttp = (value: object) => isInstance(value, 'node:http', 'Server') || isInstance(value, 'node:https', 'Server');
const isStream = (value: object, traits: Traits) =>
  isEmitter(value) &&
  isInstance(value, 'node:stream', 'Stream') &&
  (traits.has('readableLength') || traits.has('writableLength'));

function listening(server: Live): string {
  const address = server.address();
  return typeof address === 'string' ? address : (endpoint(address?.address, address?.port) ?? 'not listening');
}

const connections = outOf(({ _connections }: Live) => _connections ?? undefined, 'maxConnections');

/** Connections with a current response, `_httpMessage`, from the list that Node keeps. */
const activeRequests = (server: Live) =>
  (bySymbol(server, 'http.server.connections') as Live)
    ?.all?.()
    .filter(({ socket }: Live) => socket?._httpMessage != null).length;

/** The local or remote address of a socket, from its handle, since getters of the socket cache what they return. */
const addressOf =
  (method: 'getpeername' | 'getsockname') =>
  ({ _handle }: Live) => {
    const found: Live = {};
    _handle?.[method]?.(found);
    return endpoint(found.address, found.port);
  };

/** Events with their listeners by name. */
export const eventEmitter = view('EventEmitter', {
  named: 'EventEmitter',
  can: 'rawListeners',
  is: isEmitter,
  reads: {
    events: (emitter) =>
      emitter.eventNames().map((event: string | symbol) => ({
        event: String(event),
        listeners: functionNames(emitter.listeners(event)),
      })),
  },
});

export const node = [
  view('http.Server', {
    named: 'Server',
    is: isHttp,
    reads: {
      state: listening,
      connections,
      requests: { read: activeRequests, metric: 'http.server.active_requests' },
    },
    settings: {
      requestTimeout: 'requestTimeout ms',
      headersTimeout: 'headersTimeout ms',
      keepAliveTimeout: 'keepAliveTimeout ms',
    },
  }),
  view('net.Server', { ...instanceOf('node:net', 'Server'), reads: { state: listening, connections } }),
  view('net.Socket', {
    ...instanceOf('node:net', 'Socket'),
    reads: {
      state: 'readyState',
      remote: addressOf('getpeername'),
      received: 'bytesRead bytes',
      sent: 'bytesWritten bytes',
    },
    settings: { local: addressOf('getsockname') },
  }),
  view('Worker', {
    ...instanceOf('node:worker_threads', 'Worker'),
    reads: {
      state: ({ threadId }) => (threadId < 0 ? 'ended' : 'running'),
      utilization: { read: ({ performance }) => 100 * performance.eventLoopUtilization().utilization, unit: '%' },
    },
    settings: {
      thread: 'threadId',
      heapLimit: {
        // The limit is below zero until the thread has started.
        read: ({ resourceLimits }) => Math.max(0, resourceLimits?.maxOldGenerationSizeMb ?? 0) || undefined,
        unit: 'MB',
      },
    },
  }),
  view('ChildProcess', {
    ...instanceOf('node:child_process', 'ChildProcess'),
    reads: {
      state: ({ exitCode, signalCode }) => (exitCode === null && signalCode === null ? 'running' : 'ended'),
      exitCode: ({ exitCode, signalCode }) => signalCode ?? exitCode,
    },
    settings: { pid: 'pid', command: 'spawnfile' },
  }),
  view('Timer', {
    named: 'Timeout Immediate',
    has: '_destroyed hasRef',
    reads: {
      state: ({ _destroyed }) => (_destroyed ? 'ended' : 'waiting'),
      calls: ({ _onTimeout, _onImmediate }) => functionNames([_onTimeout ?? _onImmediate]),
    },
    settings: {
      every: '_repeat ms',
      after: { read: ({ _repeat, _idleTimeout }) => (_repeat ? undefined : _idleTimeout), unit: 'ms' },
      keepsProcess: (timer) => timer.hasRef(),
    },
  }),
  view('AsyncLocalStorage', {
    ...instanceOf('node:async_hooks', 'AsyncLocalStorage'),
    content: (storage) => storage.getStore(),
  }),
  view('KeyObject', {
    ...instanceOf('node:crypto', 'KeyObject'),
    settings: { kind: 'type', algorithm: 'asymmetricKeyType', size: 'symmetricKeySize bytes' },
  }),
  view('Stream', {
    named: 'Stream',
    is: isStream,
    reads: {
      state: ({ errored, destroyed, readableEnded, writableFinished }) =>
        errored ? 'failed' : destroyed || readableEnded || writableFinished ? 'ended' : 'open',
      toRead: outOf('readableLength', 'readableHighWaterMark'),
      toWrite: outOf('writableLength', 'writableHighWaterMark'),
    },
    settings: { path: 'path' },
  }),
  eventEmitter,
];
