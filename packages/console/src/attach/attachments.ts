import { type Attachment, type AttachOptions, attach, detach } from './attach.ts';

/** The processes that this one has attached to. Jig leaves them when it ends. */
export class Attachments {
  readonly #held = new Map<number, Attachment>();

  async attach(pid: number, options: AttachOptions = {}): Promise<Attachment> {
    const attachment = await attach(pid, options);
    this.#held.set(pid, attachment);
    void attachment.ended.then(() => this.#held.delete(pid));
    return attachment;
  }

  /** Also from those that another process has attached to. */
  async detach(pid: number): Promise<void> {
    const held = this.#held.get(pid);
    if (held === undefined) await detach(pid);
    else await held.detach();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#held.values()].map((each) => each.detach()));
  }
}
