import type { IncomingMessage } from 'node:http';
import {
  type Answer,
  BeanProblem,
  type Html,
  html,
  pageAnswer,
  redirect,
  spanText,
} from '@jig/bean-inspection/internal';
import { attach, checkAttachable, detach } from '../attach/attach.ts';
import { AttachError } from '../attach/debugger.ts';
import { listProcesses, type NodeProcess } from '../processes/node-processes.ts';
import { consolePage, instancePath } from './processes-page.ts';

/** Detaches from a process. The caller has checked the token, as for `attachTo`. */
export async function detachFrom(pid: number, request: IncomingMessage, prefix: string): Promise<Answer> {
  if (request.method !== 'POST') throw methodNotAllowed('POST');
  try {
    await detach(pid);
    return redirect(`${prefix}/?detached=${pid}`);
  } catch (error) {
    throw error instanceof AttachError ? new BeanProblem(409, error.message) : error;
  }
}

/** A GET shows a page that asks whether to attach; a POST attaches and redirects to the beans. */
export async function attachTo(pid: number, request: IncomingMessage, prefix: string): Promise<Answer> {
  const { method = '' } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) throw methodNotAllowed('GET, HEAD, POST');
  const { processes } = await listProcesses();
  const process = processes.find((each) => each.pid === pid);
  if (process === undefined) throw new BeanProblem(404, 'You have no such Node process; it may have ended.');
  const toBeans = (instance: { readonly socket: string; readonly prefix: string }) =>
    redirect(`${prefix}${instancePath(instance)}${instance.prefix}/bean`);
  const [instance] = process.instances;
  if (instance !== undefined) return toBeans(instance);
  try {
    const { environment } = await checkAttachable(pid);
    if (method !== 'POST') return pageAnswer(attachPage(process, prefix, question(pid, prefix, environment.NODE_ENV)));
    const { socket } = await attach(pid);
    return toBeans({ socket, prefix: '/jig' });
  } catch (error) {
    if (!(error instanceof AttachError)) throw error;
    return pageAnswer(attachPage(process, prefix, failure(pid, prefix, error.message)), { status: 409 });
  }
}

const methodNotAllowed = (allow: string) =>
  new BeanProblem(405, 'This address does not take this method.', { headers: { allow } });

function attachPage(process: NodeProcess, prefix: string, rest: Html): string {
  const { pid, name, node, startedAt, addresses, command } = process;
  const facts: Readonly<Record<string, Html | string | undefined | false>> = {
    Pid: String(pid),
    Node: node,
    Up: spanText(Math.max(0, Date.now() - startedAt)),
    'Listens on': addresses.length > 0 && html`${addresses.map((each) => html`<bdi dir="ltr">${each}</bdi> `)}`,
    Command: command !== '' && html`<code dir="ltr">${command}</code>`,
  };
  const shown = Object.entries(facts).map(
    ([term, value]) => Boolean(value) && html`<div><dt>${term}</dt><dd class="num">${value}</dd></div>`,
  );
  const main = html`<div class="ask"><nav aria-label="Where you are"><ol class="trail"><li><a href="${prefix}/">Processes</a></li><li aria-current="page"><bdi>${name}</bdi></li></ol></nav>
<header class="head"><div><h1>Attach to <bdi>${name}</bdi>?</h1><dl class="facts">${shown}</dl></div></header>
${rest}</div>`;
  return consolePage(`Attach to ${name}`, prefix, main);
}

const cancel = (prefix: string) => html`<a class="button" href="${prefix}/">Cancel</a>`;

const question = (pid: number, prefix: string, environment: string | undefined) =>
  html`${environment === 'production' && html`<div class="note warn"><p><b>NODE_ENV is production.</b> Attaching is for development: people may be using it.</p></div>`}<form method="post" action="${prefix}/attach/${pid}"><p>Jig sends the signal SIGUSR1, which opens the debugger of Node for less than 0.1 s, on this machine only, and loads its code by it. While it is open, other users of this machine could use it. The process stops for at most about 0.1 s at a time, needs some 10 MB more, and Node writes three lines to its error output. Only you can look. Jig stays until you detach, this console ends or the process ends.</p>
<div class="row decide"><button class="button main">Attach</button>${cancel(prefix)}</div></form>`;

const failure = (pid: number, prefix: string, sentence: string) =>
  html`<div class="note warn" role="alert"><p><b>Not attached.</b> ${sentence}</p></div><div class="row decide"><a class="button" href="${prefix}/attach/${pid}">Try again</a>${cancel(prefix)}</div>`;
