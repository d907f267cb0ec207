import { escapeHtml, palette } from './page-parts.ts';

/** The representation of an answer, and of the problem in its place. */
export type ProblemForm = 'json' | 'xml' | 'html';

const titles = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  500: 'Internal server error',
  503: 'Service unavailable',
} as const;

export interface BeanProblemOptions {
  readonly form: ProblemForm;
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The reason phrase of the status line, where it differs from the standard one. */
  readonly reason?: string;
  readonly cause?: unknown;
}

/** An answer that is an error. It never repeats what the client sent. */
export class BeanProblem extends Error {
  override readonly name = 'BeanProblem';
  readonly status: keyof typeof titles;
  readonly title: string;
  readonly form: ProblemForm;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: string | undefined;

  constructor(status: keyof typeof titles, detail: string, options: BeanProblemOptions) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.title = options.title ?? titles[status];
    this.form = options.form;
    this.headers = options.headers ?? {};
    this.reason = options.reason;
  }
}

/** Beans may throw anything, also a proxy, which throws when it is asked what it is. */
export function isBeanProblem(thrown: unknown): thrown is BeanProblem {
  try {
    return thrown instanceof BeanProblem;
  } catch {
    return false;
  }
}

const escapeXml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The style sheet of the page for people. */
export const problemStyle = `${palette}
body { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
`;

/** The media type and the body of a problem, as RFC 9457 defines them, or as a page. */
export function formatProblem({ status, title, message, form }: BeanProblem): { type: string; body: string } {
  if (form === 'html') return { type: 'text/html; charset=utf-8', body: problemPage(title, message) };
  if (form === 'xml') {
    const body = `<problem xmlns="urn:ietf:rfc:7807"><type>about:blank</type><title>${escapeXml(title)}</title><status>${status}</status><detail>${escapeXml(message)}</detail></problem>`;
    return { type: 'application/problem+xml', body };
  }
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: message });
  return { type: 'application/problem+json', body };
}

const problemPage = (title: string, detail: string) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${problemStyle}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(detail)}</p>
</main>
</body>
</html>
`;
