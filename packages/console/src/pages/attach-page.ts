import { type Html, html, spanText } from '@jig/bean-inspection/internal';
import type { NodeProcess } from '../processes/node-processes.ts';
import { consolePage } from './console-page.ts';

/** The process that a page is about; all addresses of the console begin with the prefix. */
export interface About {
  readonly prefix: string;
  readonly process: NodeProcess;
}

function pageOf({ prefix, process }: About, rest: Html): string {
  const { pid, name, node, startedAt, addresses, command } = process;
  const facts: readonly (readonly [string, Html | string | undefined | false])[] = [
    ['Pid', String(pid)],
    ['Node', node],
    ['Up', spanText(Math.max(0, Date.now() - startedAt))],
    ['Listens on', addresses.length > 0 && html`${addresses.map((each) => html`<bdi dir="ltr">${each}</bdi> `)}`],
    ['Command', command !== '' && html`<code dir="ltr">${command}</code>`],
  ];
  const main = html`<div class="ask"><nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/">Processes</a></li><li aria-current="page"><bdi>${name}</bdi></li></ol></nav>
<header class="head"><div><h1>Attach to <bdi>${name}</bdi>?</h1><dl class="facts">${facts.map(([term, value]) => Boolean(value) && html`<div><dt>${term}</dt><dd class="num">${value}</dd></div>`)}</dl></div></header>
${rest}</div>`;
  return consolePage(`Attach to ${name}`, prefix, main);
}

const cancel = ({ prefix }: About) => html`<a class="button" href="${prefix}/">Cancel</a>`;

/** Asks whether to attach. */
export const attachPage = (about: About, environment: string | undefined): string =>
  pageOf(
    about,
    html`${environment === 'production' && html`<div class="note warn"><p><b>NODE_ENV is production.</b> Attaching is for development: people may be using it.</p></div>`}<form method="post" action="${about.prefix}/attach/${about.process.pid}"><p>Jig sends the signal SIGUSR1, which opens the debugger of Node for less than 0.1 s, on this machine only, and loads its code by it. While it is open, other users of this machine could use it. The process stops for at most about 0.1 s at a time, needs some 10 MB more, and Node writes three lines to its error output. Only you can look. Jig stays until you detach, this console ends or the process ends.</p>
<div class="row decide"><button class="button main">Attach</button>${cancel(about)}</div></form>`,
  );

/** Says why it is not possible, or what went wrong. */
export const failedPage = (about: About, sentence: string): string =>
  pageOf(
    about,
    html`<div class="note warn" role="alert"><p><b>Not attached.</b> ${sentence}</p></div><div class="row decide"><a class="button" href="${about.prefix}/attach/${about.process.pid}">Try again</a>${cancel(about)}</div>`,
  );
