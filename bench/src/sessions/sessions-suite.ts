import { posted } from '../http/load.ts';
import { beginSession, ServerUnderTest } from '../http/server-under-test.ts';
import { requestCost, samplesUntilWarm } from '../samples.ts';
import type { Case, Suite } from '../suite.ts';

const form = 'languageTag=de-DE&zoneID=Europe%2FBerlin';
const otherForm = 'languageTag=ja-JP&zoneID=Asia%2FKolkata';
const module = new URL('session-server.mjs', import.meta.url);

export const sessionsSuite: Suite = {
  name: 'sessions',
  about:
    'A page of 135 KB that reads the session, and a form stored in it, with `@jig/sessions` on plain Fastify, against raw `node:http` sending the page or two bytes; beside plain Fastify with `@fastify/session`.',
  async open(context) {
    const start = (plugin: string) => ServerUnderTest.start(context, { module, arguments: [plugin] });
    const [ours, peer] = [await start('@jig/sessions'), await start('@fastify/session')];
    const [cookie, peerCookie] = [await beginSession(ours.url, form), await beginSession(peer.url, form)];
    const page = await ServerUnderTest.startRaw(context, 'x'.repeat(135 * 1024));
    const tiny = await ServerUnderTest.startRaw(context, 'ok');

    /** Without forms, the page is asked for. */
    const row = (name: string, speed: number, raw: ServerUnderTest, forms: readonly string[], isNew = false): Case => {
      const cost = (server: ServerUnderTest, own: string, status = forms.length > 0 ? 302 : 200) => {
        const headers = isNew ? {} : { cookie: own };
        const posts = forms.map((each) => posted('/', each, headers));
        return requestCost(server, posts.length > 0 ? posts : [{ path: '/', headers }], context, { status });
      };
      return {
        name,
        target: { speed },
        warmUps: samplesUntilWarm,
        ours: cost(ours, cookie),
        reference: cost(raw, cookie, 200),
        peers: { '@fastify/session': cost(peer, peerCookie) },
      };
    };
    return [
      row('page with a session', 0.7, page, []),
      row('form that begins a session', 0.45, tiny, [form], true),
      // Two forms in turns, because an unchanged attribute is not stored again. Warm from the row before.
      { ...row('form into a session', 0.6, tiny, [otherForm, form]), warmUps: 1 },
    ];
  },
};
