import type { IncomingMessage, ServerResponse } from 'node:http';
import { Secrets } from '@jig/inspect';
import { defaultDepth, defaultText } from '@jig/inspect/internal';
import type { AccessRules } from './access.ts';
import { BeanController, type BeanDocument } from './bean-controller.ts';
import type { BeanSource } from './bean-source.ts';
import { browserPolicy } from './browser-page.ts';
import { preferredMediaType } from './media-type.ts';
import { contentSecurityPolicy, securityHeaders } from './page-parts.ts';
import { BeanProblem, formatProblem, type ProblemForm, problemStyle } from './problem.ts';
import type { InspectionRequest } from './request-origin.ts';
import type { InspectionLimits } from './requested-options.ts';
import { sendDocument, writeDocument } from './send-document.ts';

export interface BeanInspectionOptions extends Partial<AccessRules>, Partial<InspectionLimits> {
  /** All addresses begin with it; `/jig` by default. */
  readonly prefix?: string;
  /** Whether beans can be inspected; by default, unless `NODE_ENV` is `production`. */
  readonly enabled?: boolean;
  /** Texts that are masked wherever they appear. */
  readonly secrets?: Iterable<string>;
  /** Called when a bean cannot be created or a document fails; writes to the console by default. */
  readonly onError?: (error: unknown, message: string) => void;
}

/** Express and others cut the path that they are mounted at off `url`, and keep the whole in `originalUrl`. */
type Request = IncomingMessage & { readonly originalUrl?: string };

/** Answers requests below its prefix and returns true; returns false for all others, and leaves them alone. */
export type BeanInspectionHandler = (request: Request, response: ServerResponse) => Promise<boolean>;

/** The beans of a source over HTTP, for anything that has a request and a response of `node:http`. */
export function beanInspection(
  source: BeanSource<IncomingMessage>,
  options: BeanInspectionOptions = {},
): BeanInspectionHandler {
  const { enabled = process.env.NODE_ENV !== 'production', onError = logError } = options;
  const prefix = parsePrefix(options.prefix);
  const token = parseToken(options.token);
  const { hosts = [], allow = [], deny = [] } = options;
  const { depth = defaultDepth, limit = 0, textLimit = defaultText, timeBudget = 30_000 } = options;
  const secrets = new Secrets();
  for (const secret of [...(options.secrets ?? []), token ?? '']) secrets.add(secret);
  const limits = { depth, limit, textLimit, timeBudget };
  const controller = new BeanController(source, secrets, { prefix, token, hosts, allow, deny, ...limits });

  return async (raw, response) => {
    const url = raw.originalUrl ?? raw.url ?? '';
    const address = enabled ? parseAddress(prefix, url) : undefined;
    if (address === undefined) return false;
    const request = { raw, url, host: raw.headers.host ?? '', context: raw };
    try {
      await answer(controller, address, request, response);
    } catch (error) {
      const form = address.form ?? pageOrJson(raw);
      const problem =
        error instanceof BeanProblem
          ? error
          : new BeanProblem(500, 'Something went wrong on our side; it has been logged.', { form, cause: error });
      if (problem.status >= 500) onError(problem.cause, problem.message);
      if (response.headersSent) response.destroy();
      else sendProblem(response, problem);
    }
    return true;
  };
}

interface Address {
  /** What follows `/bean/`, as it was sent; undefined for the list. */
  readonly file: string | undefined;
  readonly form: 'json' | 'xml' | undefined;
}

/** The origin of a request line with a whole URL. */
const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

/** What an address below the prefix asks for; undefined for addresses of the application. A slash at the end does not count. */
function parseAddress(prefix: string, url: string): Address | undefined {
  const [path = ''] = url.replace(origin, '').split(/[?#]/, 1);
  if (!path.startsWith(`${prefix}/bean`)) return undefined;
  const rest = path.slice(prefix.length + '/bean'.length).replace(/\/$/, '');
  const [, form] = /\.(json|xml)$/.exec(rest) ?? [];
  if (rest.startsWith('/')) return { file: rest.slice(1), form: form as Address['form'] };
  return rest === '' || rest === `.${form}` ? { file: undefined, form: form as Address['form'] } : undefined;
}

async function answer(
  controller: BeanController<IncomingMessage>,
  { file, form }: Address,
  request: InspectionRequest<IncomingMessage>,
  response: ServerResponse,
): Promise<void> {
  const { method } = request.raw;
  if (method !== 'GET' && method !== 'HEAD') {
    const problemForm = form ?? pageOrJson(request.raw);
    controller.check(request, problemForm);
    const headers = { allow: 'GET, HEAD' };
    throw new BeanProblem(405, 'This address takes only GET and HEAD.', { form: problemForm, headers });
  }
  if (file !== undefined) return send(response, await controller.bean(parseFile(file, request, controller), request));
  if (form === undefined) response.appendHeader('vary', 'Accept');
  const listForm = form ?? controller.preferredForm(request);
  if (listForm !== 'html') return send(response, controller.index(listForm, request));
  const page = Buffer.from(controller.indexPage(request));
  writeHead(response, 200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': browserPolicy });
  end(response, page);
}

/** The decoded name of a file. A slash in it must be encoded, as elsewhere in a path. */
function parseFile(file: string, request: InspectionRequest, controller: BeanController<IncomingMessage>): string {
  try {
    if (!file.includes('/')) return decodeURIComponent(file);
  } catch {
    controller.check(request, 'json');
    throw new BeanProblem(400, 'The address is malformed.', { form: 'json' });
  }
  controller.check(request, 'json');
  throw controller.notFound('json');
}

/** `no-transform` keeps compressing middleware away, which would ignore back-pressure and hold on to chunks. */
const neverStored = { 'cache-control': 'no-store, no-transform' };

async function send(response: ServerResponse, document: BeanDocument): Promise<void> {
  await sendDocument(response, document, (started) =>
    writeDocument(response, started, { ...securityHeaders, ...neverStored }),
  );
}

const problemPolicy = contentSecurityPolicy({ style: problemStyle });

function sendProblem(response: ServerResponse, problem: BeanProblem): void {
  const { type, body } = formatProblem(problem);
  const policy = problem.form === 'html' ? { 'content-security-policy': problemPolicy } : {};
  if (problem.reason !== undefined) response.statusMessage = problem.reason;
  writeHead(response, problem.status, { ...policy, ...problem.headers, 'content-type': type });
  end(response, Buffer.from(body));
}

function writeHead(response: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries({ ...securityHeaders, ...neverStored, ...headers }))
    response.setHeader(name, value);
}

function end(response: ServerResponse, body: Buffer): void {
  response.setHeader('content-length', body.length);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Browsers prefer pages to everything else; programs name something else, or accept anything. */
const pageOrJson = ({ headers }: IncomingMessage): ProblemForm =>
  preferredMediaType(headers.accept, ['application/json', 'text/html']) === 'text/html' ? 'html' : 'json';

function parsePrefix(prefix = '/jig'): string {
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(prefix))
    throw new TypeError(`The option prefix of beanInspection must be a path such as /jig, not ${prefix}.`);
  return prefix.replace(/\/$/, '');
}

/** Whoever guesses it sees the inside of the application; and a header carries visible ASCII characters only. */
function parseToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[!-~]{12,}$/.test(token))
    throw new TypeError(
      'The option token of beanInspection must have at least 12 characters, without white space and ASCII only.',
    );
  return token;
}

function logError(error: unknown, message: string): void {
  console.error(`bean inspection: ${message}`, error);
}
