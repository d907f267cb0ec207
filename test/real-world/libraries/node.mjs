import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { connect, createServer as createNetServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { Worker } from 'node:worker_threads';

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Objects of Node itself. */
export const node = {
  'http.Server': {
    line: /^127\.0\.0\.1:\d+, 0 connections, 0 requests$/,
    make: () => listening(createServer()),
    end: (server) => server.close(),
  },
  'http2.Http2Server': {
    line: /^127\.0\.0\.1:\d+, 0 connections$/,
    make: () => listening(createHttp2Server()),
    end: (server) => server.close(),
  },
  'net.Server': { line: 'not listening, 0 connections', make: () => createNetServer() },
  'net.Socket': {
    line: /^open, remote 127\.0\.0\.1:\d+, received 0 bytes, sent 0 bytes$/,
    async make({ redis }) {
      const socket = connect(redis.port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    },
    end: (socket) => socket.destroy(),
  },
  Worker: {
    line: /^running, utilization \d+ %$/,
    async make() {
      const worker = new Worker('setInterval(() => {}, 1000)', { eval: true, workerData: { note: 'workerHunter2pw' } });
      await once(worker, 'online');
      return worker;
    },
    end: (worker) => worker.terminate(),
  },
  ChildProcess: { line: /^running, pid \d+$/, make: () => spawn('sleep', ['100']), end: (child) => child.kill() },
  PassThrough: { line: 'open, 0 of 16384 to read, 0 of 16384 to write', make: () => new PassThrough() },
  EventEmitter: {
    line: '2 events',
    make() {
      const emitter = new EventEmitter();
      emitter.on('order', function onOrder() {});
      emitter.on('order', () => {});
      emitter.once('close', () => {});
      return emitter;
    },
  },
  Timeout: {
    line: 'waiting, calls (anonymous)',
    make: () => setInterval(() => {}, 1_000_000),
    end: (timer) => clearInterval(timer),
  },
  AbortSignal: {
    line: 'aborted',
    make() {
      const controller = new AbortController();
      controller.abort(new Error('The visitor left'));
      return controller.signal;
    },
  },
  Headers: {
    line: '2 entries',
    make: () => new Headers({ authorization: 'Bearer headerHunter2pw', accept: 'text/html' }),
  },
  FormData: {
    line: '2 entries',
    make() {
      const form = new FormData();
      form.append('name', 'Ada');
      form.append('password', 'formHunter2pw');
      return form;
    },
  },
  URLSearchParams: { line: '2 entries', make: () => new URLSearchParams('page=1&token=queryHunter2pw') },
  Request: {
    line: 'method GET, url http://localhost/orders?token=******',
    make: () =>
      new Request('http://localhost/orders?token=requestHunter2pw', { headers: { cookie: 'sid=cookieHunter2pw' } }),
  },
  Response: { line: 'status 201', make: () => new Response('body', { status: 201 }) },
  Blob: { line: 'size 3 bytes', make: () => new Blob(['abc'], { type: 'text/plain' }) },
  'Intl.NumberFormat': {
    line: 'locale de, numberingSystem latn, style decimal',
    make: () => new Intl.NumberFormat('de'),
  },
  KeyObject: {
    line: 'kind secret, size 24 bytes',
    make: () => createSecretKey(Buffer.from('keyHunter2pwkeyHunter2pw')),
  },
  AsyncLocalStorage: {
    line: 'user ada',
    make() {
      const storage = new AsyncLocalStorage();
      storage.enterWith({ user: 'ada' });
      return storage;
    },
  },
};
