import type { BeanDescription } from './bean-source.ts';
import { contentSecurityPolicy, escapeHtml, palette } from './page-parts.ts';

/** A bean of the list, with those that depend on it and the addresses of its documents. */
export interface ListedBean extends BeanDescription {
  readonly dependents: readonly string[];
  readonly links: { readonly json: string; readonly xml: string };
}

export interface BrowserPageOptions {
  readonly prefix: string;
  /** The address of the application's start page, if it has one. */
  readonly startPage?: string | undefined;
}

/** A name as part of an address; a lone surrogate, which no address can hold, becomes U+FFFD. */
export const encodeName = (name: string) => encodeURIComponent(Buffer.from(name).toString());

/** The looks of the bean browser, in light and dark; on a narrow screen each row of a table is a block. */
const browserStyle = `${palette}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; padding: 2rem 1rem 4rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: min(64rem, 100%); margin: 0 auto; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .5rem; font-size: 1rem; color: var(--soft); font-weight: 600; }
p { margin: 0; color: var(--soft); }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; margin-top: 1.25rem; }
.filter label { color: var(--ink); font-weight: 600; }
.filter input { flex: 0 1 20rem; min-width: 0; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--card); color: var(--ink); font: inherit; }
table { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
th, td { padding: .5rem 1rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { border-top: 0; color: var(--soft); font-size: .8125rem; font-weight: 600; }
thead th:nth-child(1) { width: 22%; }
thead th:nth-child(2) { width: 20%; }
thead th:nth-child(3) { width: 7rem; }
thead th:nth-child(6) { width: 8rem; }
tbody th { font-weight: 600; }
tbody tr:target { outline: 2px solid var(--accent); outline-offset: -2px; }
small { display: block; color: var(--soft); font-weight: 400; }
code { font: .875rem/1.5 ui-monospace, monospace; }
td a { margin-right: .625rem; }
a { color: var(--accent); }
a:focus-visible, input:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 45rem) {
  table, tbody { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; padding: .75rem 1rem; border-top: 1px solid var(--line); }
  tbody tr:first-child { border-top: 0; }
  tbody th, tbody td { grid-column: 1 / -1; padding: 0; border: 0; }
  tbody th { grid-column: 1; }
  tbody td:last-child { grid-area: 1 / 2; }
  tbody td:last-child a:last-child { margin-right: 0; }
  tbody td:nth-child(4):not(:empty)::before { content: 'needs '; color: var(--soft); }
  tbody td:nth-child(5):not(:empty)::before { content: 'needed by '; color: var(--soft); }
}
`;

/** Hides the rows that do not have the words in the filter; what needs a bean does not count. Without it the page is the whole list, and has no filter. */
const browserScript = `
const field = document.querySelector('#filter');
const rows = [...document.querySelectorAll('tbody tr')];
const words = (row) => [row.closest('section').querySelector('h2'), ...[...row.cells].slice(0, -2)]
  .map((part) => part.textContent.toLowerCase()).join(' ');
const texts = new Map(rows.map((row) => [row, words(row)]));
function narrow() {
  const wanted = field.value.toLowerCase().split(' ').filter(Boolean);
  for (const row of rows) row.hidden = !wanted.every((word) => texts.get(row).includes(word));
  for (const part of document.querySelectorAll('section')) part.hidden = !part.querySelector('tbody tr:not([hidden])');
  const count = rows.filter((row) => !row.hidden).length;
  document.querySelector('output').textContent = wanted.length === 0 ? '' : count + ' of ' + rows.length;
}
field.closest('p').hidden = false;
field.addEventListener('input', narrow);
addEventListener('click', ({ target }) => {
  if (!target.matches('a[href^="#"]')) return;
  field.value = '';
  narrow();
});
narrow();
`;

/** The policy of the page: its own style sheet and script, and nothing else inline. */
export const browserPolicy = contentSecurityPolicy({ script: browserScript, style: browserStyle });

/** The list of beans for people: what there is, where it comes from, and a link to each form. */
export function browserPage(beans: readonly ListedBean[], { prefix, startPage }: BrowserPageOptions): string {
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
<p>${startPage === undefined ? '' : `<a href="${escapeHtml(startPage)}">Start page</a> · `}This list as <a href="${escapeHtml(prefix)}/bean.json">JSON</a> or <a href="${escapeHtml(prefix)}/bean.xml">XML</a></p>
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
const headings = ['Bean', 'Type', 'Scope', 'Needs', 'Needed by', 'Open']
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

function row(bean: ListedBean): string {
  const { name, type, scope, dependencies, dependents, links } = bean;
  const label = escapeHtml(name);
  const cells = [
    `<code>${escapeHtml(type)}</code>`,
    scope,
    dependencies === 'unknown' ? dependencies : beanLinks(dependencies),
    beanLinks(dependents),
    `${link(links.json, 'JSON', label)} ${link(links.xml, 'XML', label)}`,
  ].map((cell) => `<td role="cell">${cell}</td>`);
  return `<tr role="row" id="${label}"><th role="rowheader" scope="row">${label}${state(bean)}</th>${cells.join('')}</tr>`;
}

function state({ scope, instantiated, replaced }: ListedBean): string {
  const notThere = scope === 'singleton' ? 'not instantiated' : 'made on request';
  const states = [
    replaced === true ? 'replaced' : '',
    instantiated === 'unknown' ? 'perhaps not instantiated' : instantiated ? '' : notThere,
  ].filter((text) => text !== '');
  return states.length === 0 ? '' : ` <small>${states.join(', ')}</small>`;
}

/** More would hide the rest of the list. */
const mostLinks = 8;

function beanLinks(names: readonly string[]): string {
  const all = names.map(dependency).join(' ');
  return names.length <= mostLinks ? all : `<details><summary>${names.length} beans</summary>${all}</details>`;
}

function link(address: string, form: string, label: string): string {
  return `<a href="${escapeHtml(address)}?pretty" aria-label="${label} as ${form}">${form}</a>`;
}

function dependency(name: string): string {
  return `<a href="#${escapeHtml(encodeName(name))}">${escapeHtml(name)}</a>`;
}
