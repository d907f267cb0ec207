import type { FastifyPluginAsync } from 'fastify';
import { contentSecurityPolicy } from './security-headers.ts';

/** The colours of the host's own pages, in light and dark. */
export const plainPalette = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #566071; --ground: #f6f7f9; --card: #fff; --line: #dfe3e8; --accent: #0b5ed7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #a3acba; --ground: #14171c; --card: #1d2127; --line: #313741; --accent: #7ab0ff; } }`;

const style = `${plainPalette}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(40rem, 100%); }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
p { margin: 0; color: var(--soft); }
ul { list-style: none; margin: 2rem 0 0; padding: 0; display: grid; gap: .75rem; }
li a { display: block; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); color: inherit; text-decoration: none; }
li a:hover, a:focus-visible { border-color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
strong { display: block; color: var(--accent); }
span { color: var(--soft); font-size: .925rem; }
`;

/** The policy of such a page: its own style sheet, and nothing else inline. */
export const plainPagePolicy = contentSecurityPolicy({ inlineStyles: [style] });

/** Escapes text for use in an element or in an attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export interface PlainPageLink {
  readonly title: string;
  readonly path: string;
  readonly description: string;
}

/** A simple page with a text and links, in the style of the host. */
export function renderPlainPage(title: string, text: string, links: readonly PlainPageLink[]): string {
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
<ul>
${items.join('\n')}
</ul>
</main>
</body>
</html>
`;
}

interface StartPageContent {
  readonly title: string;
  readonly description: string;
  readonly links: readonly PlainPageLink[];
}

export const hostLinks = (healthPath: string): readonly PlainPageLink[] => [
  { title: 'Health', path: healthPath, description: 'How each part of the application is.' },
  { title: 'Description', path: '/openapi.json', description: 'Every address and what it answers, as OpenAPI.' },
];

/** `GET /`: what this is, and what there is to open. */
export const startPage =
  (content: () => StartPageContent): FastifyPluginAsync =>
  async (server) => {
    server.get('/', async (_request, reply) => {
      const { title, description, links } = content();
      reply.headers({ 'content-security-policy': plainPagePolicy, 'cache-control': 'no-cache' });
      return reply.type('text/html; charset=utf-8').send(renderPlainPage(title, description, links));
    });
  };
