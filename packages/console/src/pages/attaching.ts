import type { IncomingMessage } from 'node:http';
import { type Announcement, type Answer, BeanProblem, pageAnswer, redirect } from '@jig/bean-inspection/internal';
import { checkAttachable, detach } from '../attach/attach.ts';
import { AttachError } from '../attach/attach-error.ts';
import type { Attachments } from '../attach/attachments.ts';
import { listProcesses, type NodeProcess } from '../processes/node-processes.ts';
import { attachPage, failedPage } from './attach-page.ts';
import { instancePath } from './processes-page.ts';

interface AttachingOptions {
  readonly prefix: string;
  readonly attachments: Attachments;
}

/** How people attach and detach by the console: a GET asks, a POST does it. Whoever comes here has the token. */
export class Attaching {
  readonly #options: AttachingOptions;

  constructor(options: AttachingOptions) {
    this.#options = options;
  }

  /** Makes Jig leave a process. */
  async detach(pid: number, request: IncomingMessage): Promise<Answer> {
    const { prefix } = this.#options;
    if (request.method !== 'POST') throw otherMethod('POST');
    try {
      await detach(pid);
      return redirect(`${prefix}/?detached=${pid}`);
    } catch (error) {
      throw error instanceof AttachError ? new BeanProblem(409, error.message) : error;
    }
  }

  /** Asks whether to attach, or attaches and leads to the beans. */
  async attach(pid: number, request: IncomingMessage): Promise<Answer> {
    const { prefix, attachments } = this.#options;
    const isPost = request.method === 'POST';
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') throw otherMethod('GET, HEAD, POST');
    const about = { prefix, process: await this.#process(pid) };
    const [there] = about.process.instances;
    const toBeans = (instance: Pick<Announcement, 'socket' | 'prefix'>) =>
      redirect(`${prefix}${instancePath(instance)}${instance.prefix}/bean`);
    try {
      if (there !== undefined) return toBeans(there);
      const { environment } = await checkAttachable(pid);
      if (!isPost) return pageAnswer(attachPage(about, environment.NODE_ENV));
      const { socket } = await attachments.attach(pid);
      return toBeans({ socket, prefix: '/jig' });
    } catch (error) {
      if (!(error instanceof AttachError)) throw error;
      return pageAnswer(failedPage(about, error.message), { status: 409 });
    }
  }

  async #process(pid: number): Promise<NodeProcess> {
    const { processes } = await listProcesses();
    const found = processes.find((each) => each.pid === pid);
    if (found !== undefined) return found;
    throw new BeanProblem(404, 'You have no such Node process; it may have ended.');
  }
}

const otherMethod = (allow: string) =>
  new BeanProblem(405, 'This address does not take this method.', { headers: { allow } });
