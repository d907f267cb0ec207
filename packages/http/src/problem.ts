import { type PlainPageLink, plainPagePolicy, renderPlainPage } from './plain-page.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The representation of an error. */
export type ProblemForm = 'json' | 'xml' | 'html';

/** Title and default detail of the statuses that the host itself answers with. */
const sentences: Readonly<Record<number, readonly [title: string, detail: string]>> = {
  400: ['Bad request', 'The request could not be understood.'],
  401: ['Unauthorized', 'This needs a token.'],
  403: ['Forbidden', 'This is not open to you.'],
  404: ['Not found', 'There is nothing at this address.'],
  405: ['Method not allowed', 'This address does not take requests of that method.'],
  406: ['Not acceptable', 'There is no representation of this that you accept.'],
  413: ['Content too large', 'The request is larger than this address takes.'],
  415: ['Unsupported media type', 'This address does not take a body of that content type.'],
  500: ['Internal server error', 'Something went wrong on our side; it has been logged.'],
  503: ['Service unavailable', 'A part that is needed is not available right now; please try again shortly.'],
};

const defaultDetail = (status: number) =>
  status < 500 ? 'The request was refused.' : 'Something went wrong on our side.';

export interface ProblemOptions {
  /** A URI that names the kind of problem; `about:blank` by default. */
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  /** Further members of the document, such as `{ balance: 30 }`; the standard members cannot be replaced. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** By default, an address that ends in `.json` or `.xml` decides; otherwise browsers get a page and programs get JSON. */
  readonly form?: ProblemForm;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason text of the status line, where it must differ from the standard one. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An error response: thrown by a handler, written by `sendProblem` (RFC 9457). */
export class Problem extends Error {
  override readonly name: string = 'Problem';
  readonly status: number;
  /** The same as `status`, for error handlers of Fastify. */
  readonly statusCode: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly form: ProblemForm | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  /** @param status from 400 to 599 */
  constructor(status: number, options: ProblemOptions = {}) {
    if (!isErrorStatus(status as unknown))
      throw new RangeError(`A Problem has a status from 400 to 599, not ${status}.`);
    const [title, detail] = sentences[status] ?? [STATUS_CODES[status] ?? 'Error', defaultDetail(status)];
    super(options.detail ?? detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.statusCode = status;
    this.type = options.type ?? 'about:blank';
    this.title = options.title ?? title;
    this.detail = options.detail ?? detail;
    // Values that JSON cannot hold fail here, not when the response is sent.
    this.extensions = JSON.parse(JSON.stringify(options.extensions ?? {}));
    this.form = options.form;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

export const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599;

/** The media type of each representation. */
export const problemTypes = {
  json: 'application/problem+json',
  xml: 'application/problem+xml',
  html: 'text/html',
} as const satisfies Record<ProblemForm, string>;

/** The headers and the body of a problem, as in RFC 9457, or a page, perhaps with links. */
export function formatProblem(problem: Problem, form: ProblemForm, links?: readonly PlainPageLink[]) {
  const { type, title, status, detail, extensions, headers: given } = problem;
  const headers = { ...given, 'content-type': problemTypes[form] as string };
  if (form === 'html') {
    const policy = {
      'content-type': `${problemTypes.html}; charset=utf-8`,
      'content-security-policy': plainPagePolicy(),
    };
    return { headers: { ...policy, ...given }, body: renderPlainPage(title, detail, links) };
  }
  const standard = { type, title, status, detail };
  // The standard members come first, and extensions cannot replace them.
  const document = { ...standard, ...extensions, ...standard };
  if (form === 'xml') return { headers, body: `<problem xmlns="urn:ietf:rfc:7807">${elementsOf(document)}</problem>` };
  return { headers, body: JSON.stringify(document) };
}

const escapeXml = (text: string) =>
  text
    // Characters that XML 1.0 cannot hold.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const isXmlName = (name: string) => /^[A-Za-z_][\w.-]*$/.test(name);

/** RFC 9457, appendix B: members are elements, and the items of an array are elements `i`. */
function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => `<i>${contentOf(item)}</i>`).join('');
  if (typeof value === 'object') return elementsOf(value);
  return escapeXml(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Leaves out members whose names are not valid element names. */
function elementsOf(members: object): string {
  const named = Object.entries(members).filter(([name]) => isXmlName(name));
  return named.map(([name, value]) => `<${name}>${contentOf(value)}</${name}>`).join('');
}
