import { renderPlainPage } from './plain-page.ts';

/** Which representation the answer to an error takes. */
export type ProblemForm = 'json' | 'xml' | 'html';

/** What a status means, said to a person, when nobody says it better. */
const sentences = {
  400: ['Bad request', 'The request could not be understood.'],
  401: ['Unauthorized', 'This needs a token.'],
  403: ['Forbidden', 'This is not open to you.'],
  404: ['Not found', 'There is nothing at this address.'],
  405: ['Method not allowed', 'This address does not take requests of that method.'],
  406: ['Not acceptable', 'There is no representation of this that you accept.'],
  408: ['Request timeout', 'The request took too long to arrive.'],
  413: ['Content too large', 'The request is larger than this address takes.'],
  414: ['URI too long', 'The address is longer than the server takes.'],
  415: ['Unsupported media type', 'This address does not take a body of that content type.'],
  417: ['Expectation failed', 'The server meets no expectation but 100-continue.'],
  431: ['Request header fields too large', 'The head of the request is larger than the server takes.'],
  500: ['Internal server error', 'Something went wrong on our side; it has been logged.'],
  501: ['Not implemented', 'The server does not take requests of that method.'],
  503: ['Service unavailable', 'A part that is needed is not available right now; please try again shortly.'],
} as const satisfies Record<number, readonly [title: string, detail: string]>;

export type ProblemStatus = keyof typeof sentences;

export interface ProblemOptions {
  readonly title?: string;
  readonly detail?: string;
  /** Without one, an address that ends in `.json` or `.xml` decides; elsewhere people in a browser get a page and programs get JSON. */
  readonly form?: ProblemForm;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason text of the status line, where it must differ from the standard one. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An answer that is an error: thrown by a handler, written in one place (RFC 9457). It never repeats what the client sent. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly title: string;
  readonly detail: string;
  readonly form: ProblemForm | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(status: ProblemStatus, options: ProblemOptions = {}) {
    const [title, detail] = sentences[status];
    super(options.detail ?? detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.title = options.title ?? title;
    this.detail = options.detail ?? detail;
    this.form = options.form;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

export function isProblemStatus(status: unknown): status is ProblemStatus {
  return typeof status === 'number' && Object.hasOwn(sentences, status);
}

/** The media type of each representation. */
export const problemTypes = {
  json: 'application/problem+json',
  xml: 'application/problem+xml',
  html: 'text/html',
} as const satisfies Record<ProblemForm, string>;

const startPageLink = { title: 'Start page', path: '/', description: 'What there is to open.' };

const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The media type and the text of a problem, as RFC 9457 writes them, or a page. */
export function formatProblem({ status, title, detail }: Problem, form: ProblemForm): { type: string; body: string } {
  if (form === 'html')
    return { type: `${problemTypes.html}; charset=utf-8`, body: renderPlainPage(title, detail, [startPageLink]) };
  if (form === 'xml') {
    const body = `<problem xmlns="urn:ietf:rfc:7807"><type>about:blank</type><title>${escapeXml(title)}</title><status>${status}</status><detail>${escapeXml(detail)}</detail></problem>`;
    return { type: problemTypes.xml, body };
  }
  return { type: problemTypes.json, body: JSON.stringify({ type: 'about:blank', title, status, detail }) };
}
