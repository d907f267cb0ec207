import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { observeReadings } from '@jig/bean-inspection/opentelemetry';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dechunk, exchange, parseAnswer, request } from '../../support/exchange.ts';
import { entry, hostileCauses, oddNames, planted, testedBeans } from './beans.ts';
import type { Mount, RunningMount } from './mount.ts';

const token = 'a-token-of-the-tests';
/** They mostly wait; the mounts take turns, since NODE_ENV is set while one starts. */
const check = it.concurrent;

const bearer = { authorization: `Bearer ${token}` };

/** What every mount does, over HTTP. */
export function describeMount({ name, start, isHost = false, optionName }: Mount): void {
  describe(name, () => {
    let beans: ReturnType<typeof testedBeans>;
    let url: string;
    /** A second application, with a token, another prefix and a closed bean. */
    let guarded: string;
    let inspection: object;
    const guardedPrefix = isHost ? '/jig' : '/internal/tools';
    let inProduction: string | undefined;
    /** Applications that report errors by the log of the mount, and by functions that fail. */
    const badlyWatched: string[] = [];
    let consoleErrors: readonly string[] = [];
    /** An application in which looking creates nothing, and runs no getter. */
    let asking: string;
    const running: RunningMount[] = [];
    const readyLines: string[] = [];
    const failures: string[] = [];
    const rejections: unknown[] = [];
    const note = (error: unknown) => void rejections.push(error);

    beforeAll(async () => {
      process.on('unhandledRejection', note);
      beans = testedBeans();
      const onError = (error: unknown, message: string) => void failures.push(`${message} ${String(error)}`);
      const startWith = async (options: Parameters<typeof start>[1]) => {
        const mount = await start(beans, options);
        running.push(mount);
        return mount.url;
      };
      const open = (options: Parameters<typeof start>[1]) =>
        startWith({ secrets: ['planted-option-secret'], mask: ['iban'], reveal: ['page*'], onError, ...options });
      url = await open({});
      asking = await open({ create: 'explicit', getters: 'none', deny: ['closed*'] });
      vi.stubEnv('NODE_ENV', 'development');
      const onReady = (message: string) => void readyLines.push(message);
      const metrics = { 'tests.count': { bean: 'small', at: '/count', unit: '{count}' } };
      guarded = await open({
        token,
        metrics,
        deny: ['cl*'],
        ...(isHost ? {} : { prefix: guardedPrefix, announce: false, onReady }),
      });
      inspection = running.at(-1)?.inspection ?? {};
      const fail = () => {
        throw new Error('a function of the application failed');
      };
      const reject = (): unknown => Promise.reject(new Error('a function of the application failed'));
      const lines: string[] = [];
      consoleErrors = lines;
      vi.spyOn(console, 'error').mockImplementation((line: unknown) => void lines.push(String(line)));
      badlyWatched.push(await startWith({ onReady: () => {} }));
      if (!isHost) badlyWatched.push(await startWith({ onReady: fail, onError: fail }));
      if (!isHost) badlyWatched.push(await startWith({ onReady: reject, onError: reject }));
      vi.stubEnv('NODE_ENV', 'production');
      if (!isHost) inProduction = await open({});
      vi.unstubAllEnvs();
    });

    afterAll(async () => {
      await Promise.all(running.map(({ stop }) => stop()));
      process.off('unhandledRejection', note);
      vi.restoreAllMocks();
      // After all requests, so that whatever they left behind has had time to show.
      expect(rejections).toEqual([]);
      expect(beans.created).not.toContain('untouched');
      expect(beans.thenCalls()).toBe(0);
    });

    const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });
    const bodyOf = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text();
    const raw = (line: string, headers: Record<string, string> = {}, body = '') => request(url, line, headers, body);

    check('answers a bean as JSON, with secrets masked', async () => {
      const answer = await get('/jig/bean/small.json');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await answer.text()).toBe(
        '{"word":"small","count":3,"password":"******","nested":{"deep":{"deeper":[1,2,3]}}}',
      );
    });

    check('masks and reveals keys by its options, and shows numbers behind secret keys', async () => {
      expect(await bodyOf('/jig/bean/account.json')).toBe(
        '{"iban":"******","pageToken":"open","prompt_tokens":3,"tokens":["******"]}',
      );
      expect(await bodyOf('/jig/bean.json?find=planted-iban')).toContain('"beans":[]');
    });

    check('answers a bean as XML', async () => {
      const answer = await get('/jig/bean/small.xml');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
      expect(await answer.text()).toContain('<word>small</word><count>3</count><password>******</password>');
    });

    check('sends documents in chunks, without a length, and not to be stored', async () => {
      const { headers, body } = await raw('GET /jig/bean/small.json');
      expect([headers.get('transfer-encoding'), headers.has('content-length')]).toEqual(['chunked', false]);
      expect(headers.get('cache-control')).toContain('no-store');
      expect(JSON.parse(dechunk(body))).toMatchObject({ word: 'small' });
    });

    check('sends its own security headers with documents, pages and problems', async () => {
      for (const path of ['/jig/bean/small.json', '/jig/bean', '/jig/bean/none.json']) {
        const { headers } = await raw(`GET ${path}`, { accept: 'text/html' });
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
        expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
      }
    });

    check('is not compressed by middleware before it', async () => {
      const answer = await raw('GET /jig/bean/big.json?limit=500', { 'accept-encoding': 'gzip, br' });
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, undefined]);
      expect(JSON.parse(dechunk(answer.body))).toHaveLength(501);
    });

    check('shows what the query asks for', async () => {
      expect(await bodyOf('/jig/bean/small.json?at=/nested/deep&limit=2')).toBe('{"deeper":[1,2,"[1 more]"]}');
      expect(await bodyOf('/jig/bean/small.json?at=/word&unknown=%zz')).toBe('"small"');
    });

    check('reports a truncated document in a header, or in a trailer if it is long', async () => {
      expect((await get('/jig/bean/big.json?limit=1')).headers.get('jig-truncated')).toBe('true');
      const long = await raw('GET /jig/bean/big.json?limit=500');
      expect(long.headers.get('trailer')?.toLowerCase()).toBe('jig-truncated');
      expect(long.raw.slice(-40)).toMatch(/\r\n0\r\njig-truncated: true\r\n\r\n$/i);
    });

    check('shows beans that are null, thenable, or throw when they are read', async () => {
      expect(await bodyOf('/jig/bean/nothing.json')).toBe('null');
      expect(await bodyOf('/jig/bean/thenable.json')).toContain('"word":"thenable"');
      expect(await bodyOf('/jig/bean/throwing.json')).toContain('"word":"throwing"');
      for (const path of ['hostile.json', 'revoked.json', 'revoked.xml', 'revoked.html'])
        expect([path, (await get(`/jig/bean/${path}`)).status]).toEqual([path, 200]);
    });

    check.each(oddNames)('shows the bean %s by its encoded name', async (bean) => {
      const path = `/jig/bean/${encodeURIComponent(bean)}`;
      expect(await bodyOf(`${path}.json`)).toBe(JSON.stringify({ odd: bean }));
      expect((await get(`${path}.xml`)).status).toBe(200);
    });

    check('lists all beans as JSON, with working links, and creates none', async () => {
      const { beans: list } = JSON.parse(await bodyOf('/jig/bean.json'));
      const small = list.find((bean: { name: string }) => bean.name === 'small');
      expect(small).toMatchObject({ scope: 'singleton', instantiated: true });
      expect(small.links).toEqual({ json: '/jig/bean/small.json', xml: '/jig/bean/small.xml' });
      for (const bean of oddNames) {
        const { links } = list.find((each: { name: string }) => each.name === bean);
        expect([bean, (await get(links.json)).status]).toEqual([bean, 200]);
      }
      expect(beans.created).not.toContain('untouched');
    });

    check('lists all beans as XML', async () => {
      const answer = await get('/jig/bean.xml');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
      expect(await answer.text()).toContain('/jig/bean/small.xml');
    });

    check('returns the list in the form that the client accepts, or 406', async () => {
      const forms = { '*/*': 'application/json', 'application/xml': 'application/xml', 'text/html': 'text/html' };
      for (const [accept, type] of Object.entries(forms)) {
        const answer = await get('/jig/bean', { accept });
        expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([200, type]);
        expect(answer.headers.get('vary')).toMatch(/\baccept\b/i);
      }
      expect((await get('/jig/bean', { accept: 'image/png' })).status).toBe(406);
    });

    check('returns a page to browsers whose policy allows its style and script, with escaped names', async () => {
      const answer = await get('/jig/bean', { accept: 'text/html' });
      expect(answer.headers.get('content-security-policy')).toMatch(
        /script-src 'self'; style-src 'self';.*require-trusted-types-for 'script'/,
      );
      const page = await answer.text();
      for (const [, asset = ''] of page.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g))
        expect((await get(asset)).headers.get('content-type')).toMatch(/^text\/(?:css|javascript)/);
      expect(page).toContain('href="/jig/bean/small.json?pretty"');
      expect(page).toContain('&#60;i&#62;');
      expect(page).not.toContain('<i>');
    });

    check.each(['/jig/bean/', '/jig/bean/small.json/', '/jig/bean.json/'])(
      'ignores a slash at the end: %s',
      async (path) => {
        expect((await get(path)).status).toBe(200);
      },
    );

    check('creates a bean when it is opened, only once', async () => {
      expect(await bodyOf('/jig/bean/lazy.json')).toBe('{"word":"lazy"}');
      expect(await bodyOf('/jig/bean/lazy.xml')).toContain('<word>lazy</word>');
      expect(beans.created.filter((bean) => bean === 'lazy')).toHaveLength(1);
    });

    check.each(['broken', 'rejecting'])(
      'answers 503 without the reason when the bean cannot be created: %s',
      async (bean) => {
        for (const form of ['json', 'xml']) {
          const answer = await get(`/jig/bean/${bean}.${form}`);
          expect([answer.status, answer.headers.get('content-type')]).toEqual([503, `application/problem+${form}`]);
          expect(await answer.text()).not.toContain('planted');
        }
        if (!isHost) expect(failures.filter((line) => line.includes('planted-password was'))).not.toEqual([]);
      },
    );

    check('creates nothing by reading with create: explicit', async () => {
      const paths = ['bean/asked.json', 'bean/asked.xml', 'bean/asked.html', 'bean/asked.json?create'];
      const answers = await Promise.all([
        ...paths.map((path) => fetch(`${asking}/jig/${path}`)),
        fetch(`${asking}/jig/bean/asked.json`, { headers: { accept: 'text/event-stream' } }),
        fetch(`${asking}/jig/bean/asked.json`, { method: 'HEAD' }),
        fetch(`${asking}/jig/bean/per%20use.html`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
      expect(answers.map(({ headers }) => headers.get('content-type')?.split(/[+;]/)[0])).toEqual([
        'application/problem',
        'application/problem',
        'text/html',
        ...['', '', ''].map(() => 'application/problem'),
        'text/html',
      ]);
      const [problem, , page, , , , perUse] = await Promise.all(answers.map((answer) => answer.text()));
      expect(JSON.parse(problem ?? '')).toEqual({
        type: 'about:blank',
        title: 'Not created',
        status: 409,
        detail:
          'This bean does not exist yet, and looking creates nothing. POST /jig/bean/{name} creates it. Creating it runs its constructor or factory, and those of what it needs, as the application would.',
      });
      for (const part of ['<h2>This bean does not exist yet</h2>', 'href="/jig/bean"', '<dt>Owner</dt>', 'id="needs"'])
        expect(page).toContain(part);
      const form = '<form method="post" action="/jig/bean/asked"><button class="button">Create it</button></form>';
      expect(page).toContain(form);
      expect(perUse).toContain('<h2>There is one of this bean for each request</h2>');
      expect(beans.created).not.toContain('asked');
      expect(beans.created).not.toContain('per use');
    });

    const create = (bean: string, accept: string, headers: Record<string, string> = {}) =>
      fetch(`${asking}/jig/bean/${encodeURIComponent(bean)}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept, ...headers },
      });

    check('creates a bean by a POST, and redirects browsers to its page', async () => {
      const document = await create('posted.json', '*/*');
      expect([document.status, document.headers.get('content-type')]).toEqual([201, 'application/json']);
      expect([await document.text(), (await create('posted.json', 'application/json')).status]).toEqual([
        '{"word":"posted"}',
        200,
      ]);
      const page = await create('posted by a browser', 'text/html,application/xhtml+xml,*/*;q=0.8');
      expect([page.status, page.headers.get('location')]).toEqual([303, '/jig/bean/posted%20by%20a%20browser.html']);
      const shown = await fetch(asking + page.headers.get('location'));
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('browser')]);
      expect(beans.created.filter((bean) => bean.startsWith('posted'))).toHaveLength(2);
    });

    check('shows a request-scoped bean in the answer to a POST', async () => {
      const xml = await create('of a request', 'application/xml');
      expect([xml.status, await xml.text()]).toEqual([201, expect.stringContaining('<word>of a request</word>')]);
      const page = await create('of a request', 'text/html');
      const text = await page.text();
      expect(page.status).toBe(201);
      expect(text).toContain('It was created for this page and is not kept');
      expect(text).toContain('<button class="button">Create another</button>');
      expect((await fetch(`${asking}/jig/bean/of%20a%20request.json`)).status).toBe(409);
    });

    check('rejects a POST of another site, and for a closed or unknown bean', async () => {
      for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
        for (const accept of ['application/json', 'text/html'])
          expect((await create('asked', accept, headers)).status).toBe(403);
      expect((await create('closed', 'application/json')).status).toBe(403);
      expect((await create('none', 'application/json')).status).toBe(404);
      expect((await create('asked', 'image/png')).status).toBe(406);
      expect((await create('broken', 'application/json')).status).toBe(503);
      const put = await fetch(`${asking}/jig/bean/asked`, { method: 'PUT' });
      expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
      expect(beans.created).not.toContain('asked');
    });

    check.each([...hostileCauses.keys()])('answers 503 and keeps working when a factory %s', async (bean) => {
      for (const application of [url, ...badlyWatched]) {
        for (const path of [`${bean}.json`, `later ${bean}.xml`, `${bean}.html`]) {
          const answer = await fetch(`${application}/jig/bean/${encodeURIComponent(path)}`);
          expect([path, answer.status]).toEqual([path, 503]);
          expect(await answer.text()).not.toContain('planted');
        }
      }
    });

    check('keeps working when onReady and onError fail, and logs their report once', async () => {
      const failing = badlyWatched.slice(1);
      for (const application of failing) {
        expect(await (await fetch(`${application}/hello`)).text()).toContain('hello');
        expect((await fetch(`${application}/jig/bean/reported.json`)).status).toBe(503);
      }
      const reports = consoleErrors.filter((line) => line.includes('to be reported'));
      expect(reports).toHaveLength(failing.length);
      const failures = consoleErrors.filter((line) =>
        line.includes('onError failed and was ignored. Error: a function'),
      );
      expect(failures.length).toBeGreaterThanOrEqual(failing.length);
    });

    check.each([
      ['/jig/bean/none.json', 'application/problem+json'],
      ['/jig/bean/none.xml', 'application/problem+xml'],
      ['/jig/bean/constructor.json', 'application/problem+json'],
      ['/jig/bean/small', 'application/problem+json'],
      ['/jig/bean/small.json?at=/none', 'application/problem+json'],
    ])('answers %s with 404 and the reason "Resource not found" as %s', async (path, type) => {
      const { statusLine, headers, body } = await raw(`GET ${path}`);
      expect(statusLine).toBe('HTTP/1.1 404 Resource not found');
      expect(headers.get('content-type')).toBe(type);
      expect(body).toContain('Resource not found: ');
    });

    check('redirects a browser from the bare name to the page, and tells others what is missing', async () => {
      const { statusLine, headers } = await raw('GET /jig/bean/small', { accept: 'text/html' });
      expect([statusLine, headers.get('location')]).toEqual(['HTTP/1.1 303 See Other', '/jig/bean/small.html']);
      expect((await raw('GET /jig/bean/none', { accept: 'text/html' })).statusLine).toMatch(/404/);
      expect((await raw('GET /jig/bean/small')).body).toContain('add .json, .xml or .html to the name');
    });

    check('passes other addresses to the application, also similar ones', async () => {
      expect(await bodyOf('/hello')).toContain('hello');
      for (const path of ['/jig/beans', '/jig/beanstalk.json', '/JIG/BEAN/small.json', '/x?/jig/bean', '/jig'])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
    });

    check.each([
      ['a foreign host', { host: 'evil.example' }, 'hosts'],
      ['a proxy', { 'x-forwarded-for': '10.0.0.1' }, 'token'],
      ['a page of another site', { origin: 'http://evil.example' }, undefined],
      ['a site that the browser names', { 'sec-fetch-site': 'cross-site' }, undefined],
    ])('rejects %s at every address and says what to do', async (_who, headers: Record<string, string>, option) => {
      const paths = ['/jig/bean', '/jig/bean.xml', '/jig/bean/small.json', '/jig/bean/none.xml', '/jig/bean/small'];
      for (const path of paths) expect([path, (await raw(`GET ${path}`, headers)).status]).toEqual([path, 403]);
      const xml = await raw('GET /jig/bean/small.xml', headers);
      expect(xml.headers.get('content-type')).toBe('application/problem+xml');
      const { body } = await raw('GET /jig/bean/small.json', headers);
      if (option !== undefined)
        expect(body).toContain(optionName?.(option) ?? `the option ${option} of beanInspection`);
      expect(body).not.toContain('"word"');
    });

    check('rejects a foreign host in the request line, and a second Host header', async () => {
      expect((await raw('GET http://evil.example/jig/bean/small.json')).status).toBe(403);
      const { host } = new URL(url);
      const twice = `GET /jig/bean/small.json HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
      expect([400, 403]).toContain((await exchange(url, twice)).status);
    });

    check.each(['/jig/bean/small.json', '/jig/bean/big.json', '/jig/bean', '/jig/bean/none.json'])(
      'answers HEAD %s with the headers of GET and no body',
      async (path) => {
        const head = await raw(`HEAD ${path}`);
        const whole = await get(path);
        await whole.body?.cancel();
        expect([head.status, head.body]).toEqual([whole.status, '']);
        for (const header of ['content-type', 'cache-control', 'content-length'])
          expect([header, head.headers.get(header) ?? null]).toEqual([header, whole.headers.get(header)]);
      },
    );

    check.each(['POST', 'PUT', 'DELETE', 'PATCH'])('answers %s with 405 and Allow', async (method) => {
      for (const path of ['/jig/bean/small.json', '/jig/bean']) {
        const answer = await raw(
          `${method} ${path}`,
          { 'content-type': 'application/json', 'content-length': '2' },
          '{}',
        );
        expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      }
    });

    check.each(['GET /jig/bean/%zz.json', 'GET /jig/bean/small.json?depth=0', 'GET /jig/bean?limit=none'])(
      'answers %s with 400',
      async (line) => {
        expect((await raw(line)).status).toBe(400);
      },
    );

    check('treats HTTP/1.0 as proxied, and answers it without chunks if it has the token', async () => {
      const line = (prefix: string) => `GET ${prefix}/bean/nothing.json HTTP/1.0\r\nHost: localhost\r\n`;
      expect((await exchange(url, `${line('/jig')}\r\n`)).status).toBe(403);
      const withToken = `${line(guardedPrefix)}Authorization: ${bearer.authorization}\r\n\r\n`;
      const answer = await exchange(guarded, withToken);
      expect([answer.headers.has('transfer-encoding'), answer.body]).toEqual([false, 'null']);
    });

    check('answers pipelined requests in order', async () => {
      const { host } = new URL(url);
      const line = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`;
      const { raw: all } = await exchange(
        url,
        line('/jig/bean/lazy.json') +
          line('/jig/bean/none.json') +
          line('/jig/bean/nothing.json', 'Connection: close\r\n'),
      );
      expect(all.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
    });

    check('waits for a slow reader, which gets the whole document', async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
      socket.write('GET /jig/bean/big.xml?limit=3900 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      await once(socket, 'readable');
      expect((await get('/jig/bean/small.json')).status).toBe(200);
      const { raw: all, body } = parseAnswer(await text(socket));
      expect(all.slice(-40)).toMatch(/\r\n0\r\njig-truncated: true\r\n\r\n$/i);
      expect(dechunk(body).includes(`<item>${entry(3899)}</item>`)).toBe(true);
    });

    check('keeps working when clients disconnect in the middle of a document', async () => {
      for (let times = 0; times < 5; times++) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
        socket.write('GET /jig/bean/big.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2));
        await once(socket, 'readable');
        socket.destroy();
      }
      expect((await raw('GET /jig/bean/small.json')).status).toBe(200);
    });

    check('shows no secret in any document, page or problem', async () => {
      const names = [...beans.values.keys(), 'broken', 'rejecting'].filter((bean) => bean !== 'big');
      const paths = names.flatMap((bean) =>
        ['json', 'xml'].map((form) => `/jig/bean/${encodeURIComponent(bean)}.${form}`),
      );
      const bodies = await Promise.all([...paths, '/jig/bean', '/jig/bean.xml'].map((path) => bodyOf(path)));
      bodies.push(await bodyOf('/jig/bean', { accept: 'text/html' }));
      // Our host learns secrets from its configuration, not from an option.
      const unwanted = isHost ? planted.filter((secret) => secret !== 'planted-option-secret') : planted;
      for (const body of bodies) for (const secret of unwanted) expect(body).not.toContain(secret);
    });

    check('streams a bean as it changes to clients with the token', async () => {
      const path = `${guarded}${guardedPrefix}/bean/moving.json?at=/milliseconds`;
      const accept = { accept: 'text/event-stream' };
      expect((await fetch(path, { headers: accept })).status).toBe(401);
      const abort = new AbortController();
      const { headers, body } = await fetch(path, { headers: { ...bearer, ...accept }, signal: abort.signal });
      expect(headers.get('content-type')).toBe('text/event-stream');
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect([headers.get('x-accel-buffering'), headers.get('x-content-type-options')]).toEqual(['no', 'nosniff']);
      const events = new Set<string>();
      let received = '';
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        received += Buffer.from(chunk).toString();
        for (const [event] of received.matchAll(/data: .*\n\n/g)) events.add(event);
        if (events.size === 2) break;
      }
      expect(received).toMatch(/^retry: \d+\n\n(?:data: [\d.]+\n\n){2}$/);
      abort.abort();
    });

    check('rejects a stream of an unknown or too large bean', async () => {
      for (const [path, status] of [
        ['/jig/bean/none.json', 404],
        ['/jig/bean/big.json', 400],
      ] as const)
        expect((await get(path, { accept: 'text/event-stream' })).status).toBe(status);
    });

    check('answers HEAD for a stream with its headers', async () => {
      const { status, headers, body } = await raw('HEAD /jig/bean/small.json', { accept: 'text/event-stream' });
      expect([status, headers.get('content-type'), body]).toEqual([200, 'text/event-stream', '']);
    });

    check('finds texts in all beans that exist, as JSON and XML', async () => {
      const { beans: found, unsearched } = await (await get('/jig/bean.json?find=SMALL')).json();
      expect(unsearched).toContain('untouched');
      const small = found.find(({ name: each }: { name: string }) => each === 'small');
      const match = { text: 'small', start: 0, end: 5 };
      expect(small.hits).toEqual([
        { pointer: '', in: 'name', ...match },
        { pointer: '/word', in: 'value', ...match },
      ]);
      expect(await bodyOf('/jig/bean.xml?find=small')).toContain('<pointer>/word</pointer>');
      for (const secret of ['planted-password', 'planted-in-url'])
        expect(await bodyOf(`/jig/bean.json?find=${secret}`)).not.toContain('"hits":[{');
    });

    check('requires the token if it is set, as Bearer or as the password of Basic', async () => {
      const path = `${guarded}${guardedPrefix}/bean/small.json`;
      const refused = await fetch(path);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('Bearer'),
      ]);
      expect(await refused.text()).toContain(optionName?.('token') ?? 'the option token of beanInspection');
      expect((await fetch(path, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
      const forwarded = { ...bearer, 'x-forwarded-for': '10.0.0.1' };
      expect((await fetch(path, { headers: forwarded })).status).toBe(200);
      const basic = `Basic ${Buffer.from(`any:${token}`).toString('base64')}`;
      expect((await fetch(path, { headers: { authorization: basic } })).status).toBe(200);
    });

    check('neither shows nor lists closed beans', async () => {
      const list = await (await fetch(`${guarded}${guardedPrefix}/bean.json`, { headers: bearer })).text();
      expect(list).toContain('"small"');
      expect(list).not.toContain('"closed"');
      expect((await fetch(`${guarded}${guardedPrefix}/bean/closed.json`, { headers: bearer })).status).toBe(403);
    });

    check('records values over time for clients with the token, and shows them as a page and JSON', async () => {
      const path = `${guarded}${guardedPrefix}/watch`;
      const send = (method: string, body: string, headers: Record<string, string> = bearer) =>
        fetch(path, {
          method,
          redirect: 'manual',
          headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
          body,
        });
      expect((await send('POST', 'bean=small&at=/count', {})).status).toBe(401);
      expect((await send('POST', 'bean=small&at=/count&over=1')).status).toBe(201);
      expect((await send('POST', 'bean=closed&at=')).status).toBe(403);
      const html = { ...bearer, accept: 'text/html' };
      const page = await (await fetch(path, { headers: html })).text();
      expect(page).toContain(`href="${guardedPrefix}/watch?bean=small&#38;at=/count"`);
      const { values } = (await (await fetch(`${path}.json`, { headers: bearer })).json()) as {
        values: readonly Record<string, unknown>[];
      };
      expect(values).toContainEqual(expect.objectContaining({ bean: 'small', at: '/count', value: 3, over: 1 }));
      const address = `${path}?bean=small&at=/count`;
      expect((await fetch(address, { method: 'DELETE', headers: bearer })).status).toBe(200);
    });

    check('puts its prefix before all links', async () => {
      const list = await (await fetch(`${guarded}${guardedPrefix}/bean.json`, { headers: bearer })).json();
      const links = list.beans.flatMap(({ links: { json, xml } }: { links: Record<string, string> }) => [json, xml]);
      expect(links.filter((link: string) => !link.startsWith(`${guardedPrefix}/bean/`))).toEqual([]);
      const page = await fetch(`${guarded}${guardedPrefix}/bean`, { headers: { ...bearer, accept: 'text/html' } });
      expect(await page.text()).toContain(`href="${guardedPrefix}/bean.xml"`);
      const { body } = await request(guarded, `GET ${guardedPrefix}/bean/none.json`, bearer);
      expect(body).toContain(`${guardedPrefix}/bean lists all`);
      if (!isHost) expect((await fetch(`${guarded}/jig/bean`, { headers: bearer })).status).toBe(404);
    });

    check(
      'exports metrics to Prometheus, with the token, and the same numbers by a meter of OpenTelemetry',
      async () => {
        expect((await fetch(`${guarded}${guardedPrefix}/metrics`)).status).toBe(401);
        const answer = await fetch(`${guarded}${guardedPrefix}/metrics`, { headers: bearer });
        const lines = (await answer.text()).split('\n');
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          200,
          'text/plain; version=0.0.4; charset=utf-8',
        ]);
        expect(lines).toContain('tests_count{bean="small"} 3');
        expect(lines).toContainEqual(expect.stringMatching(/^process_memory_usage_bytes\{bean="process"\} \d{7,}$/));
        expect(lines.filter((line) => line.includes('closed'))).toEqual([]);
        const reader = new PrometheusExporter({ preventServerStart: true });
        const provider = new MeterProvider({ readers: [reader] });
        const stop = observeReadings(provider.getMeter('beans'), inspection);
        const read = async () => new PrometheusSerializer().serialize((await reader.collect()).resourceMetrics);
        const exported = await read();
        expect(exported).toMatch(/^tests_count\{bean="small".*\} 3$/m);
        expect(exported).toMatch(/^process_memory_usage\w*\{bean="process".*\} \d{7,}$/m);
        stop();
        // The SDK goes on to tell what it was told last.
        const upTime = async () => /^process_uptime.*/m.exec(await read())?.[0];
        expect(await upTime()).toBe(await upTime());
        await provider.shutdown();
      },
    );

    if (isHost) return;

    check('logs the addresses for people and for agents in development, once and without the token', async () => {
      await fetch(`${guarded}/hello`);
      await fetch(`${guarded}/hello`);
      const { port } = new URL(guarded);
      const prefix = `http://localhost:${port}${guardedPrefix}`;
      const headers = { Authorization: 'Bearer <the token>' };
      const agents = { mcpServers: { jig: { type: 'http', url: `${prefix}/mcp`, headers } } };
      expect(readyLines).toEqual([
        `bean inspection: the beans are at ${prefix}/bean`,
        `bean inspection for coding agents, as .mcp.json: ${JSON.stringify(agents)}`,
      ]);
    });

    check('is off in production unless it is enabled', async () => {
      for (const path of ['/jig/bean', '/jig/bean/small.json', '/jig/bean/none.xml']) {
        const answer = await fetch(inProduction + path);
        expect([path, answer.status]).toEqual([path, 404]);
        // Which is ours; frameworks have their own.
        expect(answer.statusText).not.toBe('Resource not found');
      }
      expect(await (await fetch(`${inProduction}/hello`)).text()).toContain('hello');
    });
  });
}
