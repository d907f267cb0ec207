import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import { defineFeature, integer, Problem } from '@jig/application';

/** What visitors have written, newest first; gone when the application stops. */
export class Notes {
  readonly #texts: string[] = [];

  readonly maximum: number;

  constructor(maximum: number) {
    this.maximum = maximum;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  add(text: string): void {
    this.#texts.unshift(text);
    this.#texts.length = Math.min(this.#texts.length, this.maximum);
  }
}

declare module '@jig/application' {
  interface BeanTypes {
    notes: Notes;
  }
}

/** The folder with index.html and all that it loads. */
const root = fileURLToPath(new URL('../public/', import.meta.url));

export const notesFeature = defineFeature({
  name: 'notes',
  settings: { maximum: integer({ default: 100, minimum: 1, description: 'How many notes are kept.' }) },
  needs: ['notes'],
  register(host) {
    host.define('notes', { create: () => new Notes(host.settings.maximum) });

    host.routes(async (server, { notes }) => {
      server.get('/api/notes', async () => notes.texts);
      server.post<{ Body: { text: string } }>('/api/notes', { schema: { body: newNote } }, async ({ body }, reply) => {
        notes.add(body.text);
        return reply.code(201).send(notes.texts);
      });
      server.get('/api/*', async () => {
        throw new Problem(404, { detail: 'The API has no such address.' });
      });
    });

    // The page names its parts by hash (`/#/about`), so that every path is a file or an address of the API.
    host.routes(async (server) => {
      await server.register(staticFiles, { root, cacheControl: false });
    });
  },
});

const newNote = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1, maxLength: 200 } },
  additionalProperties: false,
};
