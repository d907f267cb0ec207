import { hostname, userInfo } from 'node:os';
import { basename } from 'node:path';
import { type Announcement, type Html, html, icon, pageWith, spanText } from '@jig/bean-inspection/internal';
import { type Family, groupProcesses } from '../processes/families.ts';
import type { NodeProcess, ProcessList } from '../processes/node-processes.ts';

/** What the address of the page asks for. */
export interface ProcessesView {
  /** The prefix of all paths of the console. */
  readonly prefix: string;
  readonly isLive: boolean;
  /** The command that a coding agent runs. */
  readonly agentCommand: string;
  /** The process that was just detached from. */
  readonly detached?: string | undefined;
}

/** A page of the console, with the machine and the user in its bar. @param prefix of all paths of the console */
export function consolePage(title: string, prefix: string, main: Html): string {
  const bar = html`<a class="brand" href="${prefix}/">Jig</a>
<span class="app"><b><bdi>${hostname()}</bdi></b> <span>user <bdi>${userInfo().username}</bdi></span></span>
<nav aria-label="Main"><ul><li><a href="${prefix}/" aria-current="page">Processes</a></li></ul></nav>`;
  return pageWith({ title, prefix, bar, main });
}

/** How many characters of a command are shown: one line. */
const maxCommandLength = 90;

/** The address of this page. */
const pagePath = (prefix: string, isLive: boolean) => `${prefix}/${isLive ? '?live=1' : ''}`;

/** The page of the beans of an instance, below the console. */
export const instancePath = ({ socket }: Pick<Announcement, 'socket'>) => `/i/${basename(socket, '.sock')}`;

export function processesPage(list: ProcessList, view: ProcessesView): string {
  const { username } = userInfo();
  const detachedNote =
    view.detached !== undefined &&
    html`<div class="note" role="status"><p>Jig has left process ${view.detached}.</p></div>`;
  const main = html`${detachedNote}<header class="head"><div><h1>Node processes</h1><p>Of <bdi>${username}</bdi> on this machine. Looked at <time class="num" id="time">${timeOf(list)}</time>.</p></div><div class="row">${reloadLink(view)}<a class="switch${view.isLive && ' on'}" id="live" data-on href="${pagePath(view.prefix, !view.isLive)}"><i aria-hidden="true"></i>Live${view.isLive && html`<span class="hush">, on</span>`}</a></div></header>
<div id="watched">${processesList(list, view)}</div>
<section class="card agents" aria-labelledby="ag"><h2 id="ag">For coding agents</h2><p>One server for all processes on this page with Jig in them.</p><div class="paste"><code tabindex="0">${view.agentCommand}</code><button class="ghost" type="button" data-copy="${encodeURIComponent(view.agentCommand)}" hidden aria-label="Copy the line">${icon('copy')}</button></div></section>
<span id="spoken" class="hush" role="status"></span>`;
  return consolePage('Node processes', view.prefix, main);
}

const reloadLink = (view: ProcessesView) =>
  html`<a class="button" href="${pagePath(view.prefix, view.isLive)}">${icon('again')}Look again</a>`;

/** The part of the page that a live page replaces. */
export function processesList(list: ProcessList, view: ProcessesView): Html {
  const { withJig, attachable, notAttachable, tools } = groupProcesses(list.processes);
  const shown = withJig.length + attachable.length + notAttachable.length;
  return html`${
    list.problem !== undefined &&
    html`<div class="note warn" role="alert"><p><b>The list of processes could not be read.</b> ${list.problem} Only those with Jig in them are here.</p></div>`
  }
${shown === 0 && list.problem === undefined && emptyCard(reloadLink(view))}
${
  shown > 0 &&
  html`<section class="card" aria-label="Processes"><table role="table" class="grouped processes"><thead role="rowgroup"><tr role="row">${headerCells}</tr></thead>
${group('Jig is in it', withJig, view)}
${group('Can be attached', attachable, view)}
${group('Cannot be attached', notAttachable, view)}
</table></section>`
}
${tools > 0 && html`<p class="after">${tools} of editors and tools, such as npm and TypeScript, left out.</p>`}`;
}

const emptyCard = (again: Html) =>
  html`<div class="card empty"><h2>No Node process is running</h2><p>Start your application, then look again. Processes of other users and in containers are not listed.</p><div class="row">${again}</div></div>`;

/** The name and the CSS classes of each column. */
const columns = [
  ['Name and command', 'who'],
  ['Listens on', 'at num'],
  ['Pid', 'end num'],
  ['Node', 'num'],
  ['Up', 'end num'],
  ['Memory', 'end num'],
  ['Jig', 'does'],
] as const;

const headerCells = columns.map(
  ([name, classes]) => html`<th role="columnheader" scope="col" class="${classes}">${name}</th>`,
);

/** A row by its cells in the order of the columns; the values between the first and the last have labels on small screens. */
function tableRow(id: string, cells: readonly (Html | string | undefined)[], isBelow: boolean): Html {
  const written = columns.map(
    ([name, classes], index) =>
      html`<td role="cell" class="${classes}"${index > 0 && index < columns.length - 1 && html` data-label="${name}"`}>${cells[index]}</td>`,
  );
  return html`<tr role="row" id="${id}"${isBelow && html` class="below"`}>${written}</tr>
`;
}

function group(title: string, families: readonly Family[], view: ProcessesView): Html | false {
  if (families.length === 0) return false;
  return html`<tbody role="rowgroup" id="${title.replaceAll(' ', '-')}"><tr role="row" class="group"><th role="rowheader" scope="rowgroup" colspan="${columns.length}"><div><b>${title}</b><span class="num">${families.length}</span></div></th></tr>
${families.map((family) => familyRows(family, view))}</tbody>`;
}

function familyRows({ process, workers }: Family, view: ProcessesView): readonly Html[] {
  const { command } = process;
  const line = command.length > maxCommandLength ? `${command.slice(0, maxCommandLength)}…` : command;
  const name = html`<b><bdi>${process.name}</bdi></b>${command !== '' && html`<code dir="ltr" title="${command}">${line}</code>`}`;
  return [
    processRow(process, name, view),
    ...threadRows(process, view),
    ...workers.flatMap((worker) => [
      processRow(worker, html`<div><span>${capitalize(worker.label ?? '')}</span></div>`, view, true),
      ...threadRows(worker, view),
    ]),
  ];
}

function processRow(process: NodeProcess, name: Html, view: ProcessesView, isBelow = false): Html {
  const { pid, node, startedAt, memory, addresses, instances } = process;
  const main = instances.find(({ thread }) => thread === 0);
  return tableRow(
    `process-${pid}`,
    [
      name,
      html`${addresses.map((address) => html`<bdi dir="ltr">${address}</bdi> `)}`,
      String(pid),
      isBelow ? undefined : node,
      spanText(Math.max(0, Date.now() - startedAt)),
      memory === undefined ? undefined : `${Math.round(memory / 1e6)} MB`,
      main === undefined ? cellWithoutJig(process, view) : beanLinks(main, view),
    ],
    isBelow,
  );
}

/** The cell of a process without Jig. */
function cellWithoutJig({ pid, obstacle }: NodeProcess, { prefix }: ProcessesView): Html {
  if (obstacle === undefined) return html`<div class="row"><a href="${prefix}/attach/${pid}">Attach…</a></div>`;
  const parts = obstacle.split(/(--[\w-]+|SIGUSR1)/);
  return html`<p>${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}</p>`;
}

/** Worker threads are known once they have announced themselves. */
const threadRows = ({ instances }: NodeProcess, view: ProcessesView) =>
  instances
    .filter(({ thread }) => thread !== 0)
    .map((each) =>
      tableRow(
        basename(each.socket),
        [html`<div><span>${capitalize(each.label)}</span></div>`, ...Array(columns.length - 2), beanLinks(each, view)],
        true,
      ),
    );

const beanLinks = (instance: Announcement, { prefix: consolePrefix }: ProcessesView) => {
  const { pid, prefix, attached } = instance;
  return html`<div class="row"><a href="${consolePrefix}${instancePath(instance)}${prefix}/bean">Open beans</a>${attached && html`<form method="post" action="${consolePrefix}/detach/${pid}"><button class="ghost">Detach</button></form>`}</div>`;
};

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** In the time zone of this machine, where the user is. */
export const timeOf = ({ time }: ProcessList) => time.toTimeString().slice(0, 8);
