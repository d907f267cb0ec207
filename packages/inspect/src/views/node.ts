import type { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { bySymbol, can, endpoint, functionNames, has, isA, isNamed } from './shape.ts';
import { setting, type View, type With } from './view.ts';

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Modules of Node are looked up when they are needed: loading them takes longer than loading this package. */
const classes = {
  EventEmitter: once(() => process.getBuiltinModule('node:events').EventEmitter),
  Server: once(() => process.getBuiltinModule('node:net').Server),
  Socket: once(() => process.getBuiltinModule('node:net').Socket),
  HttpServer: once(() => process.getBuiltinModule('node:http').Server),
  HttpsServer: once(() => process.getBuiltinModule('node:https').Server),
  Worker: once(() => process.getBuiltinModule('node:worker_threads').Worker),
  ChildProcess: once(() => process.getBuiltinModule('node:child_process').ChildProcess),
  Stream: once(() => process.getBuiltinModule('node:stream').Stream),
  AsyncLocalStorage: once(() => process.getBuiltinModule('node:async_hooks').AsyncLocalStorage),
  KeyObject: once(() => process.getBuiltinModule('node:crypto').KeyObject),
};

function listening(server: Server): string {
  const address = server.address();
  if (address === null) return 'not listening';
  return typeof address === 'string' ? address : (endpoint(address.address, address.port) ?? 'not listening');
}

const connections = {
  read: (server: Server) => (server as { readonly _connections?: number | null })._connections ?? undefined,
  of: (server: Server) => server.maxConnections,
};

interface Connection {
  readonly socket?: { readonly _httpMessage?: unknown } | null;
}

/** Node keeps a list of connections, each of which holds the response that it is busy with. */
function requestsUnderWay(server: HttpServer): number | undefined {
  const list = bySymbol(server, 'http.server.connections') as { all?(): readonly Connection[] } | undefined;
  return list?.all?.().filter(({ socket: each }) => each?._httpMessage != null).length;
}

export const httpServer: View<HttpServer> = {
  name: 'http.Server',
  matches: (value): value is HttpServer =>
    isA(value, classes.Server()) && (isA(value, classes.HttpServer()) || isA(value, classes.HttpsServer())),
  readings: {
    state: { read: listening },
    connections,
    requests: { read: requestsUnderWay, metric: 'http.server.active_requests' },
    requestTimeout: setting(({ requestTimeout }) => requestTimeout, 'ms'),
    headersTimeout: setting(({ headersTimeout }) => headersTimeout, 'ms'),
    keepAliveTimeout: setting(({ keepAliveTimeout }) => keepAliveTimeout, 'ms'),
  },
};

export const netServer: View<Server> = {
  name: 'net.Server',
  matches: (value): value is Server => isA(value, classes.Server()),
  readings: { state: { read: listening }, connections },
};

export const socket: View<Socket> = {
  name: 'net.Socket',
  matches: (value): value is Socket => isA(value, classes.Socket()),
  readings: {
    state: { read: ({ readyState }) => readyState },
    remote: { read: ({ remoteAddress, remotePort }) => endpoint(remoteAddress, remotePort) },
    received: { read: ({ bytesRead }) => bytesRead, unit: 'bytes' },
    sent: { read: ({ bytesWritten }) => bytesWritten, unit: 'bytes' },
    local: setting(({ localAddress, localPort }) => endpoint(localAddress, localPort)),
  },
};

export const worker: View<Worker> = {
  name: 'Worker',
  matches: (value): value is Worker => isA(value, classes.Worker()),
  readings: {
    state: { read: ({ threadId }) => (threadId < 0 ? 'ended' : 'running') },
    utilization: { read: ({ performance }) => 100 * performance.eventLoopUtilization().utilization, unit: '%' },
    thread: setting(({ threadId }) => threadId),
    // Below zero until the thread has started.
    heapLimit: setting(
      ({ resourceLimits: { maxOldGenerationSizeMb: most = -1 } = {} }) => (most < 0 ? undefined : most),
      'MB',
    ),
  },
};

export const childProcess: View<ChildProcess> = {
  name: 'ChildProcess',
  matches: (value): value is ChildProcess => isA(value, classes.ChildProcess()),
  readings: {
    state: { read: ({ exitCode, signalCode }) => (exitCode === null && signalCode === null ? 'running' : 'ended') },
    exitCode: { read: ({ exitCode, signalCode }) => signalCode ?? exitCode },
    pid: setting(({ pid }) => pid),
    command: setting(({ spawnfile }) => spawnfile),
  },
};

const isEnded = ({ readableEnded, writableFinished, destroyed }: Readable & Writable) =>
  destroyed || readableEnded === true || writableFinished === true;

export const stream: View<Readable & Writable> = {
  name: 'Stream',
  matches: (value): value is Readable & Writable =>
    isA(value, classes.Stream()) && (has(value, 'readableLength') || has(value, 'writableLength')),
  readings: {
    state: { read: (value) => (value.errored ? 'failed' : isEnded(value) ? 'ended' : 'open') },
    toRead: { read: ({ readableLength }) => readableLength, of: ({ readableHighWaterMark }) => readableHighWaterMark },
    toWrite: {
      read: ({ writableLength }) => writableLength,
      of: ({ writableHighWaterMark }) => writableHighWaterMark,
    },
    path: setting((value) => (value as { readonly path?: unknown }).path),
  },
};

/** Events with their listeners by name. */
export const eventEmitter: View<EventEmitter> = {
  name: 'EventEmitter',
  matches: (value): value is EventEmitter => isA(value, classes.EventEmitter()) && can(value, 'rawListeners'),
  readings: {
    events: {
      read: (emitter) =>
        emitter.eventNames().map((event) => ({
          event: String(event),
          listeners: functionNames(emitter.listeners(event)),
        })),
    },
  },
};

interface Timer extends With<'_idleTimeout' | '_repeat' | '_destroyed' | '_onTimeout' | '_onImmediate'> {
  hasRef(): boolean;
}

export const timer: View<Timer> = {
  name: 'Timer',
  matches: (value): value is Timer => isNamed(value, 'Timeout', 'Immediate') && has(value, '_destroyed', 'hasRef'),
  readings: {
    state: { read: ({ _destroyed }) => (_destroyed ? 'ended' : 'waiting') },
    calls: { read: ({ _onTimeout, _onImmediate }) => functionNames([_onTimeout ?? _onImmediate]) },
    every: setting(({ _repeat }) => _repeat, 'ms'),
    after: setting(({ _repeat, _idleTimeout }) => (_repeat ? undefined : _idleTimeout), 'ms'),
    keepsProcess: setting((each) => each.hasRef()),
  },
};

export const asyncLocalStorage: View<AsyncLocalStorage<unknown>> = {
  name: 'AsyncLocalStorage',
  matches: (value): value is AsyncLocalStorage<unknown> => isA(value, classes.AsyncLocalStorage()),
  content: (storage) => storage.getStore(),
};

export const keyObject: View<KeyObject> = {
  name: 'KeyObject',
  matches: (value): value is KeyObject => isA(value, classes.KeyObject()),
  readings: {
    kind: setting(({ type }) => type),
    algorithm: setting(({ asymmetricKeyType }) => asymmetricKeyType),
    size: setting(({ symmetricKeySize }) => symmetricKeySize, 'bytes'),
  },
};
