import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import {
  type Announcement,
  type Answer,
  announcements,
  answerHeaders,
  ask,
  assetAnswer,
  BeanProblem,
  events,
  headersToPass,
  LiveStreams,
  nodeRequest,
  type ProblemForm,
  pageAnswer,
  passedAnswer,
  prefixHeader,
  problemAnswer,
  readBody,
  redirect,
  sendAnswer,
  startPageHeader,
  wantsStream,
} from '@jig/bean-inspection/internal';
import { pathOf, preferredMediaType } from '@jig/http';
import { listProcesses, type ProcessList } from '../processes/node-processes.ts';
import { ConsoleAccess } from './access.ts';
import { attachTo, detachFrom } from './attach-page.ts';
import { type ProcessesView, processesList, processesPage, timeOf } from './processes-page.ts';

/** Seconds between two refreshes of a live page, without JavaScript and with it. */
const refreshSeconds = 5;
const streamSeconds = 2;

/** The server of the console: the list of processes, and below `/i/{key}` the pages of each application. */
export class ConsoleServer {
  readonly #access = new ConsoleAccess();
  readonly #agentCommand: string;
  readonly #server: Server;
  readonly #streams = new LiveStreams();
  /** Instances by the key in their address. */
  #instances: ReadonlyMap<string, Announcement> = new Map();

  /** @param agentCommand the command that a coding agent runs */
  constructor(agentCommand: string) {
    this.#agentCommand = agentCommand;
    this.#server = process
      .getBuiltinModule('node:http')
      .createServer((request, response) => void this.#handle(request, response));
  }

  /** Resolves to the address with the token. @param port 0 for any free one */
  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
    });
    const address = this.#server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    return `http://127.0.0.1:${bound}/?token=${this.#access.token}`;
  }

  close(): void {
    this.#streams.close();
    this.#server.close().closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = formFor(request);
    const send = ({ headers, ...answer }: Answer) =>
      sendAnswer(response, { ...answer, headers: { ...answerHeaders, ...headers } });
    try {
      this.#access.check(request);
      await send(await this.#answer(request, response));
    } catch (error) {
      if (!(error instanceof BeanProblem)) console.error('jig:', error);
      const text = 'Something went wrong in the console, which has printed it.';
      await send(problemAnswer(error instanceof BeanProblem ? error : new BeanProblem(500, text), form));
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { prefix } = this.#access;
    const { url = '' } = request;
    const path = pathOf(url);
    if (path === '/') {
      response.setHeader('set-cookie', this.#access.cookie);
      return redirect(`${prefix}/`);
    }
    if (path.startsWith(`${prefix}/i/`)) return this.#forward(request);
    const below = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    const [, action, pid] = /^\/(attach|detach)\/(\d{1,10})$/.exec(below) ?? [];
    if (action === 'attach') return attachTo(Number(pid), request, prefix);
    if (action === 'detach') return detachFrom(Number(pid), request, prefix);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new BeanProblem(405, 'This address takes only GET and HEAD.', { headers: { allow: 'GET, HEAD' } });
    const assets = `${prefix}/browser/`;
    if (path.startsWith(assets))
      return assetAnswer(path.slice(assets.length), request.headers['accept-encoding']?.toString());
    if (path !== `${prefix}/`) throw new BeanProblem(404, 'The console has nothing at this address.');
    const query = new URLSearchParams(url.slice(path.length));
    const isLive = query.has('live');
    const view = {
      prefix,
      isLive,
      agentCommand: this.#agentCommand,
      detached: query.get('detached')?.replace(/\D/g, ''),
    };
    if (wantsStream(request)) return this.#stream(view, request);
    const page = processesPage(await listProcesses(), view);
    return pageAnswer(page, { headers: isLive ? { refresh: String(refreshSeconds) } : {} });
  }

  async #stream(view: ProcessesView, request: IncomingMessage): Promise<Answer> {
    const live = {
      key: JSON.stringify(view),
      everyMs: 1000 * streamSeconds,
      read: () => listProcesses(),
      data: (list: ProcessList) =>
        JSON.stringify({ time: timeOf(list), watched: processesList(list, view).toString() }),
    };
    return events(await this.#streams.watch(live, nodeRequest(request)));
  }

  /** Passes a request on to the instance that its address names. */
  async #forward(request: IncomingMessage): Promise<Answer> {
    const below = (request.url ?? '').slice(`${this.#access.prefix}/i/`.length);
    const [key = ''] = below.split(/[/?]/, 1);
    const instance = await this.#instance(key);
    if (instance === undefined)
      throw new BeanProblem(404, 'This process has ended, or Jig is no longer in it. Look at the list again.');
    const raw = nodeRequest(request);
    const { method = 'GET' } = raw;
    // The token is for the console alone.
    const { authorization: _own, ...headers } = headersToPass(raw.headers);
    const prefix = `${this.#access.prefix}/i/${key}${instance.prefix}`;
    const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody({ raw });
    try {
      const answer = await ask({
        socket: instance.socket,
        method,
        path: below.slice(key.length),
        headers: { ...headers, [prefixHeader]: prefix, [startPageHeader]: `${this.#access.prefix}/` },
        body,
        signal: raw.signal,
      });
      return passedAnswer(answer, raw);
    } catch (cause) {
      this.#instances = new Map();
      throw new BeanProblem(502, 'The process does not answer; it may have ended.', { cause });
    }
  }

  async #instance(key: string): Promise<Announcement | undefined> {
    if (!this.#instances.has(key)) {
      const all = await announcements();
      this.#instances = new Map(all.map((each) => [basename(each.socket, '.sock'), each]));
    }
    return this.#instances.get(key);
  }
}

const forms = { 'application/json': 'json', 'text/html': 'html' } as const;

const formFor = ({ headers }: IncomingMessage): ProblemForm =>
  forms[preferredMediaType(headers.accept, ['application/json', 'text/html']) ?? 'application/json'];
