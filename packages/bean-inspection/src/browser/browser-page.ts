import { contentSecurityPolicy } from '@jig/application';
import { escapeHtml } from '@jig/application/internal';
import { type BeanIndex, inAddress, type ListedBean } from '../bean-index.ts';
import { browserScript } from './browser-script.ts';
import { browserStyle } from './browser-style.ts';

/** The policy of the page: its own style sheet and script, and nothing else inline. */
export const browserPolicy = contentSecurityPolicy({ inlineScripts: [browserScript], inlineStyles: [browserStyle] });

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
<p><a href="/">Start page</a> · This list as <a href="/jig/bean.json">JSON</a> or <a href="/jig/bean.xml">XML</a></p>
<p class="filter" hidden><label for="filter">Filter</label> <input id="filter" type="search" autocomplete="off" spellcheck="false"> <output for="filter"></output></p>
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
<script>${browserScript}</script>
</body>
</html>
`;
}

/** A table that is shown in blocks on a narrow screen is none to a screen reader, unless its roles are said. */
const headings = ['Bean', 'Type', 'Scope', 'Needs', 'Open']
  .map((title) => `<th role="columnheader" scope="col">${title}</th>`)
  .join('');

function section(owner: string, beans: readonly ListedBean[]): string {
  return `<section>
<h2>${escapeHtml(owner)}</h2>
<table role="table">
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
<tbody role="rowgroup">
${beans.map(row).join('\n')}
</tbody>
</table>
</section>`;
}

function row({ name, type, scope, dependencies, instantiated, links }: ListedBean): string {
  const state = instantiated ? '' : ` <small>${scope === 'singleton' ? 'not instantiated' : 'made on request'}</small>`;
  const label = escapeHtml(name);
  const cells = [
    `<code>${escapeHtml(type)}</code>`,
    scope,
    dependencies.map(dependency).join(' '),
    `${link(links.json, 'JSON', label)} ${link(links.xml, 'XML', label)}`,
  ].map((cell) => `<td role="cell">${cell}</td>`);
  return `<tr role="row" id="${label}"><th role="rowheader" scope="row">${label}${state}</th>${cells.join('')}</tr>`;
}

function link(address: string, form: string, label: string): string {
  return `<a href="${escapeHtml(address)}?pretty" aria-label="${label} as ${form}">${form}</a>`;
}

function dependency(name: string): string {
  return `<a href="#${escapeHtml(inAddress(name))}">${escapeHtml(name)}</a>`;
}
