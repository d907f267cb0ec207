import { type Answer, type AnswerOptions, wholeAnswer } from '../http/answer.ts';
import type { Identity } from '../instances/identity.ts';
import type { Instance } from '../instances/instances.ts';
import { spanText } from './amounts.ts';
import { assetNames } from './assets.ts';
import { type Html, html } from './html.ts';

/** What every page shows around its content: where the bean browser is mounted, in which application and instance. */
export interface Site {
  /** All addresses begin with it. */
  readonly prefix: string;
  /** The address of the application's start page, if it has one. */
  readonly startPage?: string | undefined;
  /** The name of the application, if it is known. */
  readonly application?: string | undefined;
  /** The instance that answers. */
  readonly here?: Identity | undefined;
  /** The menu of instances, if there are several. */
  readonly instances?: InstanceChoice | undefined;
}

/** All instances of the application, with links to the same page of each. */
export interface InstanceChoice {
  readonly all: readonly (Pick<Instance, 'id' | 'label' | 'pid' | 'startedAt'> & { readonly link: string })[];
  /** The bean of the page in all of them, side by side. */
  readonly together?: { readonly link: string; readonly isShown: boolean } | undefined;
}

export interface PageContent {
  readonly title: string;
  /** The entry of the navigation that it belongs to. */
  readonly section?: keyof typeof sections;
  /** Whether the page has its own search field, so that the bar has none. */
  readonly hasSearch?: boolean;
  /** What is inside `<main>`. */
  readonly main: Html;
}

/**
 * The policy of every page of the bean browser: its own style sheet and script by their address, nothing inline, nothing from
 * elsewhere. Its script turns text into markup by the policy `jig` alone.
 */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types jig',
].join('; ');

export const pageAnswer = (markup: string, { status, headers }: AnswerOptions = {}): Answer =>
  wholeAnswer(markup, 'text/html; charset=utf-8', {
    ...(status === undefined ? {} : { status }),
    headers: { 'content-security-policy': pagePolicy, ...headers },
  });

const sections = { bean: 'Beans', graph: 'Graph', compare: 'Compare', watch: 'Watch' } as const;

/** A page of the bean browser, whole: the bar with the navigation and the search, then its content. */
export function page(site: Site, { title, section, hasSearch = false, main }: PageContent): string {
  const { prefix, startPage, application, here, instances } = site;
  const bar = html`<a class="brand" href="${startPage ?? `${prefix}/bean`}">Jig</a>
<span class="app">${application !== undefined && application !== 'Jig' && html`<b><bdi>${application}</bdi></b> `}${
    instances === undefined &&
    html`<span${here !== undefined && html` title="Instance ${here.id}"`}>${process.env.NODE_ENV ?? 'development'}, up ${spanText(1000 * process.uptime())}</span>`
  }</span>${here !== undefined && instances !== undefined && instanceMenu(here, instances)}
<nav aria-label="Main"><ul>${Object.entries(sections).map(
    ([path, name]) =>
      html`<li><a href="${prefix}/${path}"${path === section && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
${!hasSearch && html`<form role="search" action="${prefix}/bean">${searchField()}</form>`}`;
  return pageWith({ title, prefix, bar, main });
}

type BarePage = Pick<PageContent, 'title' | 'main'> & { readonly prefix: string; readonly bar: Html };

/** A page with the given bar at its top; the console has one of its own. Style and script are below `{prefix}/browser`. */
export function pageWith({ title, prefix, bar, main }: BarePage): string {
  const { style, script } = assetNames;
  return html`<!DOCTYPE html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${prefix}/browser/${style}">
<script type="module" src="${prefix}/browser/${script}"></script>
</head>
<body>
${sprite}
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div class="wide">
${bar}
</div></header>
<main id="main" class="wide">
${main}
</main>
</body>
</html>
`.toString();
}

/** The menu of instances, the answering one selected. */
function instanceMenu(here: Identity, { all, together }: InstanceChoice): Html {
  const isAll = together?.isShown === true;
  const shown = isAll ? `All ${all.length} instances` : here.label;
  return html`<details class="menu instances"><summary title="${here.id}" aria-label="Instance: ${shown}. Choose another">${shown}${icon('twist')}</summary><ul>${all.map(
    ({ id, label, pid, startedAt, link }) =>
      html`<li><a href="${link}"${!isAll && id === here.id && html` aria-current="true"`}><span><bdi>${label}</bdi>${label !== `pid ${pid}` && html` <span class="soft num">pid ${pid}</span>`}</span><span class="state made">up ${spanText(Date.now() - Date.parse(startedAt))}</span></a></li>`,
  )}${
    together !== undefined &&
    html`<li class="all"><a href="${together.link}"${isAll && html` aria-current="true"`}><span>All, side by side</span></a></li>`
  }</ul></details>`;
}

/** A field for the text to search for; `find` searches inside of beans. */
export const searchField = (name: 'find' | 'q' = 'find', value = '', isBig = false) =>
  html`<label class="find${isBig && ' big'}"><span class="hush">Search names, keys and values</span>${icon('find')}<input type="search" name="${name}" value="${value}" placeholder="Search names, keys, values" autocomplete="off" spellcheck="false" maxlength="200"></label>`;

export const timeOf = (moment: Date) =>
  html`<time class="num" datetime="${moment.toISOString()}">${timeText(moment)}</time>`;

/** The time of day by the clock of the server; in UTC, since the user may be in another zone. */
export const timeText = (moment: Date) => `${moment.toISOString().slice(11, 19)} UTC`;

/** An icon beside a word, or alone in a labelled element. */
export const icon = (name: 'find' | 'twist' | 'more' | 'copy' | 'again' | 'down' | 'watch' | 'remove') =>
  html`<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;

const sprite = html`<svg hidden><defs>
<symbol id="i-find" viewBox="0 0 16 16"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></symbol>
<symbol id="i-twist" viewBox="0 0 12 12"><path d="m4 2 4 4-4 4"/></symbol>
<symbol id="i-more" viewBox="0 0 16 16"><circle cx="3" cy="8" r="1.4"/><circle cx="8" cy="8" r="1.4"/><circle cx="13" cy="8" r="1.4"/></symbol>
<symbol id="i-copy" viewBox="0 0 16 16"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"/><path d="M3.5 10.5A1 1 0 0 1 2.5 9.5v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1"/></symbol>
<symbol id="i-again" viewBox="0 0 16 16"><path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5"/></symbol>
<symbol id="i-down" viewBox="0 0 16 16"><path d="M8 2.5v7.5M4.5 7 8 10.5 11.5 7M3 13.5h10"/></symbol>
<symbol id="i-watch" viewBox="0 0 16 16"><path d="M1.5 8.5h2.75L6.5 3.5l3 9 2.25-4h2.75"/></symbol>
<symbol id="i-remove" viewBox="0 0 16 16"><path d="m4 4 8 8M12 4l-8 8"/></symbol>
</defs></svg>`;
