import { type Attachment, type AttachOptions, attach } from './attach.ts';

/** The processes that this one has attached to. Jig leaves them when it ends. */
export class Attachments {
  readonly #held = new Set<Attachment>();

  async attach(pid: number, options: AttachOptions = {}): Promise<Attachment> {
    const attachment = await attach(pid, options);
    this.#held.add(attachment);
    void attachment.ended.then(() => this.#held.delete(attachment));
    return attachment;
  }

  close(): void {
    for (const each of this.#held) each.release();
  }
}
