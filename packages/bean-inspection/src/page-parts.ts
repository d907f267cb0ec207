import { createHash } from 'node:crypto';

/** The colours of pages, in light and dark. */
export const palette = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #566071; --ground: #f6f7f9; --card: #fff; --line: #dfe3e8; --accent: #0b5ed7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #a3acba; --ground: #14171c; --card: #1d2127; --line: #313741; --accent: #7ab0ff; } }`;

/** Text for an element or an attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A policy that allows what has these exact texts inline, and own files. */
export function contentSecurityPolicy(inline: { readonly script?: string; readonly style?: string } = {}): string {
  return [
    "default-src 'none'",
    ['script-src', "'self'", ...[inline.script ?? []].flat().map(hashOf)].join(' '),
    ['style-src', "'self'", ...[inline.style ?? []].flat().map(hashOf)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What every answer of the handler carries; a page replaces the policy by its own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
