import { createHash } from 'node:crypto';

/** Inline scripts and style sheets of a page, by their exact text. */
export interface ContentSources {
  readonly inlineScripts?: readonly string[];
  readonly inlineStyles?: readonly string[];
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A content security policy that allows files of this origin, and these inline scripts and styles by their hashes. */
export function contentSecurityPolicy({ inlineScripts = [], inlineStyles = [] }: ContentSources = {}): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...inlineScripts.map(hashOf)].join(' '),
    ['style-src', "'self'", ...inlineStyles.map(hashOf)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers of every response; a page with inline scripts or styles sets its own policy. */
export const securityHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});
