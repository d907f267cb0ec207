import { contentSecurityPolicy } from '@jig/application';
import type { BeanIndex, ListedBean } from '../routes/bean-index.ts';
import { browserStyle } from './browser-style.ts';

/** The policy of the page: its own style sheet, and nothing else inline. */
export const browserPolicy = contentSecurityPolicy({ inlineStyles: [browserStyle] });

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The list of beans for people: what there is, where it comes from, and a link to each form. */
export function browserPage({ beans }: BeanIndex): string {
  const owners = [...new Set(beans.map(({ owner }) => owner))].sort();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Beans</title>
<link rel="icon" href="data:,">
<style>${browserStyle}</style>
</head>
<body>
<main>
<header>
<h1>Beans</h1>
<p>${beans.length} live components of this application, from ${owners.length} packages. Opening one that is not instantiated makes it.</p>
<p><a href="/jig/bean.json">JSON</a> <a href="/jig/bean.xml">XML</a></p>
</header>
${owners
  .map((owner) =>
    section(
      owner,
      beans.filter((bean) => bean.owner === owner),
    ),
  )
  .join('\n')}
</main>
</body>
</html>
`;
}

function section(owner: string, beans: readonly ListedBean[]): string {
  return `<section>
<h2>${escapeHtml(owner)}</h2>
<table>
<thead><tr><th scope="col">Bean</th><th scope="col">Type</th><th scope="col">Scope</th><th scope="col">Needs</th><th scope="col">Look</th></tr></thead>
<tbody>
${beans.map(row).join('\n')}
</tbody>
</table>
</section>`;
}

function row({ name, type, scope, dependencies, instantiated, links }: ListedBean): string {
  const state = instantiated ? '' : ` <small>${scope === 'singleton' ? 'not instantiated' : 'made on request'}</small>`;
  const label = escapeHtml(name);
  return `<tr id="${label}"><th scope="row">${label}${state}</th><td><code>${escapeHtml(type)}</code></td><td>${scope}</td><td>${dependencies.map(dependency).join(' ')}</td><td><a href="${escapeHtml(links.json)}?pretty" aria-label="${label} as JSON">JSON</a> <a href="${escapeHtml(links.xml)}?pretty" aria-label="${label} as XML">XML</a></td></tr>`;
}

function dependency(name: string): string {
  return `<a href="#${escapeHtml(encodeURIComponent(name))}">${escapeHtml(name)}</a>`;
}
