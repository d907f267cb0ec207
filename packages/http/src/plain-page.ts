import { contentSecurityPolicy } from './security-headers.ts';

/** In the colours of the bean browser. */
const style = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #566071; --ground: #f6f7f9; --card: #fff; --line: #dfe3e8; --accent: #0b5ed7; --edge: #7d8796; --hover: #f0f3f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #a3acba; --ground: #14171c; --card: #1d2127; --line: #313741; --accent: #7ab0ff; --edge: #7b8594; --hover: #242932; } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { inline-size: min(84rem, 100%); margin-inline: auto; padding: clamp(1.75rem, 8vh, 6rem) clamp(1rem, 2.5vw, 2rem) 4rem; }
h1 { margin: 0; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; overflow-wrap: anywhere; }
p { margin: .25rem 0 0; max-inline-size: 60ch; color: var(--soft); }
ul { list-style: none; margin: 1.75rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
li a { display: block; block-size: 100%; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--card); color: inherit; text-decoration: none; overflow-wrap: anywhere; }
li a:hover { border-color: var(--edge); background: var(--hover); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
strong { display: block; font-weight: 600; color: var(--accent); text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover strong { text-decoration-thickness: 2px; }
span { color: var(--soft); font-size: .875rem; }
@media (forced-colors: active) { strong, span { color: LinkText; } li a:hover { border-color: Highlight; } }
`;

/** The policy of a plain page: only its own inline style sheet. Not at import, since the first hash of a process takes 4 ms. */
export const plainPagePolicy = () => contentSecurityPolicy({ inlineStyles: [style] });

/** Escapes text for use in an element or in an attribute. */
export const escapeHtml = (text: string) =>
  // The test is faster than a replacement that finds nothing.
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : text;

export interface PlainPageLink {
  readonly title: string;
  readonly path: string;
  readonly description: string;
}

/** A simple page with a text and perhaps links. */
export function renderPlainPage(title: string, text: string, links: readonly PlainPageLink[] = []): string {
  const items = links.map(
    ({ title: name, path, description }) =>
      `<li><a href="${escapeHtml(path)}"><strong>${escapeHtml(name)}</strong><span>${escapeHtml(description)}</span></a></li>`,
  );
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${items.length === 0 ? '' : `<ul>\n${items.join('\n')}\n</ul>\n`}</main>
</body>
</html>
`;
}
