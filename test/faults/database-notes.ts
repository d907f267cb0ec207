import { defineFeature } from '@jig/application';
import { type MadeApplication, makeApplication } from '../support/make-application.ts';

/** The least that shows sessions: each POST notes one attribute, GET gives them all. */
export const notesFeature = defineFeature({
  name: 'notes',
  register(host) {
    host.routes(async (server) => {
      server.addContentTypeParser('*', (_request, _payload, done) => done(null));
      server.post<{ Querystring: { name: string; value: string } }>('/notes', async ({ query, session }, reply) => {
        await session.set(query.name, query.value);
        return reply.redirect('/notes', 302);
      });
      server.get('/notes', async ({ session }) => Object.fromEntries(await session.entries()));
    });
  },
});

/** The same as the text of a module, for a process of its own. */
const notesModule = `[{
  name: 'notes',
  register: (host) => host.routes(async (server) => {
    server.addContentTypeParser('*', (request, payload, done) => done(null));
    server.post('/notes', async (request, reply) => {
      await request.session.set(request.query.name, request.query.value);
      return reply.redirect('/notes', 302);
    });
    server.get('/notes', async (request) => Object.fromEntries(await request.session.entries()));
    server.get('/slow', (request, reply) => void setTimeout(() => reply.send('done'), 7000));
  }),
}]`;

/** An application that keeps notes in sessions, with the add-ons named. */
export function makeNotes(...addOns: readonly string[]): Promise<MadeApplication> {
  return makeApplication({ dependencies: addOns, features: notesModule });
}

/** A visitor with a cookie of their own. */
export class Visitor {
  readonly #url: string;
  readonly #cookie: string | undefined;
  /** What was answered 302. */
  readonly noted: Readonly<Record<string, string>>;

  constructor(url: string, cookie?: string, noted: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#cookie = cookie;
    this.noted = noted;
  }

  /** The same visitor at another instance, or at the same one after a restart. */
  at(url: string): Visitor {
    return new Visitor(url, this.#cookie, this.noted);
  }

  /** The visitor after the POST, and its status. */
  async note(name: string, value: string): Promise<{ status: number; visitor: Visitor }> {
    const query = new URLSearchParams({ name, value });
    const response = await fetch(`${this.#url}/notes?${query}`, {
      method: 'POST',
      redirect: 'manual',
      headers: this.#headers(),
    });
    await response.arrayBuffer();
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
    const noted = response.status === 302 ? { ...this.noted, [name]: value } : this.noted;
    return { status: response.status, visitor: new Visitor(this.#url, cookie, noted) };
  }

  async read(): Promise<{ status: number; notes: Record<string, string> }> {
    const response = await fetch(`${this.#url}/notes`, { headers: this.#headers() });
    const body = (await response.json()) as Record<string, string>;
    return { status: response.status, notes: response.status === 200 ? body : {} };
  }

  #headers(): Record<string, string> {
    return this.#cookie === undefined ? {} : { cookie: this.#cookie };
  }
}
