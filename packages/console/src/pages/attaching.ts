import type { IncomingMessage } from 'node:http';
import { announcements, BeanProblem, type ProblemForm, pagePolicy } from '@jig/bean-inspection/internal';
import { checkAttachable } from '../attach/attach.ts';
import { AttachError } from '../attach/attach-error.ts';
import type { Attachments } from '../attach/attachments.ts';
import { beansOfInstance } from '../processes/instance-beans.ts';
import type { NodeProcess, NodeProcesses } from '../processes/node-processes.ts';
import { attachedPage, attachPage, detachPage, type FoundBean, failedPage } from './attach-pages.ts';
import { instancePath } from './processes-page.ts';

export type AttachAction = 'attach' | 'attached' | 'detach';

interface AttachingOptions {
  readonly prefix: string;
  readonly processes: NodeProcesses;
  readonly attachments: Attachments;
}

type PageOrRedirect =
  | { readonly page: string; readonly policy: string; readonly status?: number }
  | { readonly redirect: string };

const toAnswer = (page: string, status = 200): PageOrRedirect => ({ page, policy: pagePolicy, status });

/** The pages by which people attach to processes: a GET asks, a POST does it. Whoever comes here has the token. */
export class Attaching {
  readonly #options: AttachingOptions;

  constructor(options: AttachingOptions) {
    this.#options = options;
  }

  async answer(
    action: AttachAction,
    pid: number,
    request: IncomingMessage,
    form: ProblemForm,
  ): Promise<PageOrRedirect> {
    const { prefix, attachments } = this.#options;
    const isPost = request.method === 'POST' && action !== 'attached';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD')
      throw new BeanProblem(405, 'This address does not take this method.', {
        form,
        headers: { allow: action === 'attached' ? 'GET, HEAD' : 'GET, HEAD, POST' },
      });
    const about = { prefix, process: await this.#process(pid, form) };
    if (action === 'attached') return this.#attached(about, form);
    if (action === 'detach' && !isPost) return toAnswer(detachPage(about));
    try {
      if (action === 'detach') {
        await attachments.detach(pid);
        return { redirect: `${prefix}/?detached=${pid}` };
      }
      if (about.process.instances.length > 0) return { redirect: `${prefix}/attached/${pid}` };
      const { environment } = await checkAttachable(pid);
      if (!isPost) return toAnswer(attachPage(about, environment.NODE_ENV));
      await attachments.attach(pid, { heap: (await fieldsOf(request, form)).get('look') === 'memory' });
      return { redirect: `${prefix}/attached/${pid}` };
    } catch (error) {
      if (!(error instanceof AttachError)) throw error;
      return toAnswer(failedPage(about, action === 'detach' ? 'Detach' : 'Attach', error.message), 409);
    }
  }

  async #process(pid: number, form: ProblemForm): Promise<NodeProcess> {
    const { processes } = await this.#options.processes.list();
    const found = processes.find((each) => each.pid === pid);
    if (found !== undefined) return found;
    throw new BeanProblem(404, 'You have no such Node process; it may have ended.', { form });
  }

  async #attached(about: { readonly prefix: string; readonly process: NodeProcess }, form: ProblemForm) {
    const { pid } = about.process;
    const instance = (await announcements()).find((each) => each.pid === pid && each.thread === 0);
    if (instance === undefined) throw new BeanProblem(404, 'Jig is not in this process.', { form });
    const beans = await beansOfInstance<FoundBean>(instance, lookMs);
    if (typeof beans === 'string') throw noBeans(beans, form);
    const path = `${about.prefix}${instancePath(instance)}${instance.prefix}/bean`;
    return toAnswer(attachedPage(about, beans, path, this.#options.attachments.get(pid)));
  }
}

/** The first look at a process of `jig run` searches all of it. */
const lookMs = 5000;

/** Whoever is late goes on meanwhile, so a browser asks again. */
function noBeans(sentence: string, form: ProblemForm): BeanProblem {
  if (!sentence.endsWith(` within ${lookMs / 1000} s.`)) return new BeanProblem(502, sentence, { form });
  const detail = `${sentence} It is busy, or still being searched. This page tries again by itself.`;
  return new BeanProblem(503, detail, { form, headers: { 'retry-after': '2', refresh: '2' } });
}

const longestForm = 1000;

async function fieldsOf(request: IncomingMessage, form: ProblemForm): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestForm) throw new BeanProblem(413, 'This form is too long.', { form });
  }
  return new URLSearchParams(text);
}
