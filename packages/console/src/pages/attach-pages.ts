import { type Html, html, spanText } from '@jig/bean-inspection/internal';
import { heapStopSeconds, oldSpaceOf } from '../agent/heap-cost.ts';
import type { Attachment } from '../attach/attach.ts';
import type { NodeProcess } from '../processes/node-processes.ts';
import { consolePage } from './console-page.ts';

/** The process that a page is about; all addresses of the console begin with the prefix. */
interface About {
  readonly prefix: string;
  readonly process: NodeProcess;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

type Verb = 'Attach' | 'Detach';

/** A page that asks before it does something. */
function asking({ prefix, process }: About, verb: Verb, rest: Html): string {
  const { pid, name, node, startedAt, memory, addresses, command } = process;
  const facts: readonly (readonly [string, Html | string | undefined | false])[] = [
    ['Pid', String(pid)],
    ['Node', node],
    ['Up', spanText(Math.max(0, Date.now() - startedAt))],
    ['Memory', memory !== undefined && megabytes(memory)],
    ['Listens on', addresses.length > 0 && html`<bdi dir="ltr">${addresses.join(', ')}</bdi>`],
    ['Command', command !== '' && html`<code dir="ltr">${command}</code>`],
  ];
  const question = html`${verb} ${verb === 'Attach' ? 'to' : 'from'} <bdi>${name}</bdi>?`;
  const main = html`<div class="ask"><nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/">Processes</a></li><li><bdi>${name}</bdi></li><li aria-current="page">${verb}</li></ol></nav>
<header class="head"><div><h1>${question}</h1><dl class="facts">${facts.map(([term, value]) => Boolean(value) && html`<div><dt>${term}</dt><dd class="num">${value}</dd></div>`)}</dl></div></header>
${rest}</div>`;
  return consolePage(`${verb} ${verb === 'Attach' ? 'to' : 'from'} ${name}`, prefix, main);
}

const told = (terms: readonly (readonly [string, Html | string])[]) =>
  html`<section class="card" aria-labelledby="what"><h2 class="named" id="what">What happens</h2><dl class="told">${terms.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl></section>`;

const cancel = ({ prefix }: About) => html`<a class="button" href="${prefix}/">Cancel</a>`;

/** Says why it is not possible, or what went wrong. */
export function failedPage(about: About, verb: Verb, sentence: string): string {
  const done = verb.toLowerCase();
  const again = html`<a class="button" href="${about.prefix}/${done}/${about.process.pid}">Try again</a>`;
  return asking(
    about,
    verb,
    html`<div class="note warn" role="alert"><p><b>Not ${done}ed.</b> ${sentence}</p></div><div class="row decide">${again}${cancel(about)}</div>`,
  );
}

/** Asks whether to attach. */
export function attachPage(about: About, environment: string | undefined): string {
  const { prefix, process } = about;
  const production =
    environment === 'production' &&
    html`<div class="note warn"><p><b>NODE_ENV is production.</b> Attaching is for development: people may be using it.</p></div>`;
  const seconds = heapStopSeconds(oldSpaceOf(process.memory ?? 0));
  return asking(
    about,
    'Attach',
    html`${production}<form method="post" action="${prefix}/attach/${process.pid}">${told([
      ['Pause', 'At most about 0.1 s at a time. It answers nothing in that time.'],
      [
        'Debugger',
        'Jig sends the signal SIGUSR1, which opens it on this machine only, loads its code and closes it again, in less than 0.1 s. While it is open, other users of this machine could use it. An application that handles this signal itself gets it too.',
      ],
      ['Memory', 'About 10 MB more.'],
      ['Its log', 'Node writes three lines about the debugger to its error output.'],
      ['Who can look', 'Only you. It gets no new address.'],
      ['What stays', 'Jig stays until you detach, this console ends or the process ends. No file changes.'],
    ])}
<section class="card" aria-labelledby="deep"><h2 class="named" id="deep">How far to look</h2><div class="choices" role="radiogroup" aria-labelledby="deep"><label><input type="radio" name="look" value="modules" checked><span>Modules, servers and containers</span></label><label><input type="radio" name="look" value="memory"><span>All of its memory too <span class="soft">Finds objects that no module holds. Pauses it for up to ${seconds} s in all, since it uses ${megabytes(process.memory ?? 0)}.</span></span></label></div></section>
<div class="row decide"><button class="button main">Attach</button>${cancel(about)}</div></form>`,
  );
}

/** A bean as the list of an instance tells of it. */
export interface FoundBean {
  readonly name: string;
  readonly type: string;
  readonly owner: string;
  readonly line?: string;
  readonly found?: string;
  readonly isMinor?: boolean;
}

const isVariable = ({ type, isMinor = false }: FoundBean) => isMinor || /^(?:Map|Set|Array|Object|module)$/.test(type);

/** In the order in which they are shown; a bean is in the first that takes it. */
const groups: readonly (readonly [string, (bean: FoundBean) => boolean])[] = [
  ['Servers', ({ name }) => name.startsWith('server:')],
  ['Routes', ({ line = '' }) => /\d routes?\b/.test(line)],
  ['Containers', ({ found = '' }) => found.startsWith('in a container')],
  ['Pools, queues, caches and other objects', (bean) => !isVariable(bean)],
  ['Module variables', () => true],
];
/** How many of a group are shown before the rest is folded. */
const shownBeans = { few: 3, many: 30 };

/** What was found in a process, by group. @param beansPath where its list of beans is */
export function attachedPage(
  about: About,
  beans: readonly FoundBean[],
  beansPath: string,
  attachment: Attachment | undefined,
): string {
  const { prefix, process } = about;
  const found = beans.filter(({ name }) => name !== 'process');
  const stopped =
    attachment !== undefined && ` The search stopped it for ${Math.round(attachment.longestMs)} ms at most.`;
  const main = html`<nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/">Processes</a></li><li><bdi>${process.name}</bdi></li></ol></nav>
<header class="head"><div><div class="title"><h1>Jig is in <bdi>${process.name}</bdi></h1></div><p class="num" role="status">${found.length} ${found.length === 1 ? 'bean' : 'beans'} found.${stopped}</p></div><div class="row"><a class="button" href="${beansPath}">Open beans</a><a class="button" href="${prefix}/detach/${process.pid}">Detach…</a></div></header>
<section class="card" aria-label="What was found"><table role="table" class="grouped found"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" class="c-name">Bean</th><th role="columnheader" scope="col" class="c-type">Type</th><th role="columnheader" scope="col" class="c-from">Found in</th><th role="columnheader" scope="col">At a glance</th></tr></thead>
${groups.map(([title]) =>
  groupRows(
    title,
    found.filter((bean) => groupOf(bean) === title),
    beansPath,
  ),
)}</table></section>`;
  return consolePage(`Jig is in ${process.name}`, prefix, main);
}

const groupOf = (bean: FoundBean) => groups.find(([, takes]) => takes(bean))?.[0];

function groupRows(title: string, beans: readonly FoundBean[], beansPath: string): Html | false {
  if (beans.length === 0) return false;
  const shown = beans.slice(0, title === 'Module variables' ? shownBeans.few : shownBeans.many);
  const rest = beans.length - shown.length;
  return html`<tbody role="rowgroup"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="4"><div><b>${title}</b><span class="num">${beans.length}</span></div></th></tr>
${shown.map(
  ({
    name,
    type,
    owner,
    found,
    line,
  }) => html`<tr role="row"><td role="cell" class="name"><a href="${beansPath}/${encodeURIComponent(name)}.html"><bdi>${name}</bdi></a></td><td role="cell"><code>${type}</code></td><td role="cell" class="from soft"><bdi dir="ltr">${owner}</bdi>${found !== undefined && html`, ${found}`}</td><td role="cell" class="says num">${line}</td></tr>
`,
)}${rest > 0 && html`<tr role="row" class="fold"><td role="cell" colspan="4">${rest} more. <a href="${beansPath}">Show all beans</a></td></tr>`}</tbody>`;
}

export const detachPage = (about: About): string =>
  asking(
    about,
    'Detach',
    html`<form method="post" action="${about.prefix}/detach/${about.process.pid}">${told([
      ['Is lost', 'Watched values and snapshots that Jig keeps in it.'],
      ['Pause', 'None that you would notice.'],
      ['Stops', 'Jig closes its socket, removes its listeners and lets go of all beans.'],
      ['Stays', 'Nothing but memory that the next garbage collections free.'],
    ])}
<div class="row decide"><button class="button main">Detach</button><a class="button" href="${about.prefix}/attached/${about.process.pid}">Cancel</a></div></form>`,
  );
