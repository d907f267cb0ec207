import { maskMark } from './secrets.ts';
import type { TextRule } from './text-rules.ts';

/** The prefixes of a kind of token, separated by spaces; the rest of it; and a further check. */
export type TokenKind = readonly [prefixes: string, rest: RegExp, isToken?: (text: string) => boolean];

const jwt = /^eyJ[\w-]{5,}\.[\w-]{4,}/;

/** Add a line for a new kind. */
export const tokenKinds: readonly TokenKind[] = [
  ['ghp_ gho_ ghs_ ghu_ ghr_', /[A-Za-z\d]{16,}/],
  ['github_pat_', /\w{20,}/],
  ['glpat-', /[\w-]{16,}/],
  ['xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs-', /[\w-]{8,}/],
  ['xapp- hvs. ya29. GOCSPX-', /[\w-]{20,}/],
  ['sk_live_ sk_test_ rk_live_ rk_test_', /\w{8,}/],
  // `sk-learn` is no token.
  ['sk-', /[\w-]{7,}/, (text) => /\d/.test(text) && (text.length >= 20 || /[A-Z]/.test(text))],
  ['AKIA ASIA', /[A-Z\d]{16}\b/],
  ['AIza', /[\w-]{35}/],
  ['npm_', /[A-Za-z\d]{36}/],
  ['SG.', /[\w-]{16,200}\.[\w-]{16,}/],
  ['re_', /[A-Za-z\d]{6,100}_[A-Za-z\d]{16,}/],
  ['key-', /[\da-z]{32}\b/],
  ['sdk-', /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/],
  ['hf_ gsk_ ntn_ shpat_ shpca_ shppa_ shpss_ dop_v1_ doo_v1_ dor_v1_', /[\w+/-]{20,}/],
  ['lin_api_ sb_secret_ whsec_ phx_', /[\w+/-]{20,}/],
  // Any JSON in base64 begins like this.
  ['eyJ', /[\w.-]{8,}/, (text) => jwt.test(text)],
  // Extended private keys of wallets (BIP 32).
  ['xprv yprv zprv tprv uprv vprv', /[1-9A-HJ-NP-Za-km-z]{90,}/],
];

/** The rule for all of these. */
export function tokenRule(kinds: readonly TokenKind[]): TextRule {
  const all = kinds.map(([prefixes, rest]) => `(?:${prefixes.split(' ').map(literal).join('|')})${rest.source}`);
  const tokens = new RegExp(`\\b(?:${all.join('|')})`, 'g');
  const checked = kinds.flatMap(([prefixes, , isToken]) => (isToken === undefined ? [] : [{ prefixes, isToken }]));
  const isToken = (text: string) =>
    checked.every((kind) => !kind.prefixes.split(' ').some((prefix) => text.startsWith(prefix)) || kind.isToken(text));
  return {
    hint: hintFor(kinds.flatMap(([prefixes]) => prefixes.split(' '))),
    mask: (text) => text.replace(tokens, (token) => (isToken(token) ? maskMark : token)),
  };
}

/** A pattern for all prefixes that searches their last, rarer characters first, for speed. */
function hintFor(prefixes: readonly string[]): RegExp {
  const byEnd = new Map<string, string[]>();
  for (const prefix of prefixes) {
    const last = prefix.slice(-1);
    const end = /[A-Za-z]/.test(last) ? prefix.slice(-3) : last;
    byEnd.set(end, [...(byEnd.get(end) ?? []), prefix]);
  }
  return new RegExp([...byEnd].map(([end, all]) => `${literal(end)}(?<=${all.map(literal).join('|')})`).join('|'));
}

const literal = (text: string) => text.replaceAll('.', '\\.');
