import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clients } from '../mcp/clients.ts';
import { type Application, instancesOf, type ListedInstance, startApplication } from './start-application.ts';

const workers = 4;
const html = { accept: 'text/html' };
const addresses = (page: string) =>
  [...page.matchAll(/(?:href|src|action)="(\/jig\/[^"]*)"/g)].map(([, address = '']) =>
    address.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
  );

describe('four workers behind one port', () => {
  let application: Application;
  let all: readonly ListedInstance[];
  const get = (path: string, headers: Record<string, string> = {}) => fetch(application.url + path, { headers });

  beforeAll(async () => {
    application = await startApplication('cluster', { arguments: [String(workers)] });
    all = await instancesOf(application.url);
  });
  afterAll(() => application[Symbol.asyncDispose]());

  it('find each other, and are labelled with the number of the worker', () => {
    expect(all.map(({ label }) => label)).toEqual(['worker 1', 'worker 2', 'worker 3', 'worker 4']);
    for (const { id, pid } of all) expect(id.endsWith(`-${pid}`)).toBe(true);
  });

  it('do not list each other for clients without access', async () => {
    const answer = await get('/jig/bean', { 'x-forwarded-for': '203.0.113.7' });
    expect([answer.status, answer.headers.get('jig-instance')]).toEqual([403, null]);
  });

  it.each(['json', 'xml', 'html'])('answer as the named instance, whichever gets the request, as %s', async (form) => {
    for (const { id, pid } of all) {
      const answer = await get(`/jig/bean/who.${form}?instance=${id}`);
      expect([answer.status, answer.headers.get('jig-instance')]).toEqual([200, id]);
      expect(await answer.text()).toContain(String(pid));
    }
  });

  it('forward the header of a document that is cut, and a bean that only one has', async () => {
    for (const { id } of all) {
      const cut = await get(`/jig/bean/big.json?instance=${id}&limit=10`);
      expect(cut.headers.get('jig-truncated')).toBe('true');
      await cut.text();
      const only = await get(`/jig/bean/onlyFirst.json?instance=${id}`);
      expect(only.status).toBe(id === all[0]?.id ? 200 : 404);
      await only.text();
    }
  });

  it('reject an unknown instance, and list the known ones', async () => {
    const answer = await get('/jig/bean/who.json?instance=nobody');
    expect(answer.status).toBe(404);
    const { detail } = await answer.json();
    for (const { id } of all) expect(detail).toContain(id);
    expect((await get('/jig/@nobody/bean')).status).toBe(404);
  });

  it('serve pages whose links, forms and files all lead to the same worker', async () => {
    for (const path of ['/jig/bean', '/jig/bean/who.html', '/jig/graph', '/jig/compare', '/jig/bean?find=db']) {
      const answer = await get(path, html);
      const id = answer.headers.get('jig-instance');
      const page = await answer.text();
      const found = addresses(page).filter((address) => !address.includes('/@all/'));
      expect(found.length).toBeGreaterThan(5);
      // Only the menu leads to others.
      for (const address of new Set(found.filter((each) => !each.includes(`/@${id}/`))))
        expect(all.map((each) => path.replace('/jig', `/jig/@${each.id}`))).toContain(address);
      for (const form of page.match(/<form[^>]*>/g) ?? []) expect(form).toContain(`/@${id}/`);
      const followed = await Promise.all(
        found.filter((each) => each.includes(`/@${id}/`)).map((each) => get(each, html)),
      );
      for (const each of followed) {
        expect([each.url, each.headers.get('jig-instance'), each.status]).toEqual([each.url, id, 200]);
        await each.text();
      }
    }
  });

  it('serve live rows of a page from the worker that rendered it', async () => {
    const { id } = all[2] as ListedInstance;
    const leaving = new AbortController();
    const answer = await fetch(`${application.url}/jig/@${id}/bean/who.html`, {
      headers: { accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    expect([answer.headers.get('content-type'), answer.headers.get('jig-instance')]).toEqual(['text/event-stream', id]);
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('data: ') && text.endsWith('\n\n')) break;
    }
    leaving.abort();
    const { rows: markup } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as { rows: string };
    expect(addresses(markup).length).toBeGreaterThan(3);
    for (const address of addresses(markup)) expect(address).toContain(`/@${id}/`);
  });

  it.each(Object.entries(clients))('let an agent compare a bean, with the %s', async (_name, connect) => {
    for (let round = 0; round < 2; round++) {
      const client = await connect(`${application.url}/jig/mcp`);
      const kept = await client.call('compare_bean', { name: 'counter' });
      const { snapshot } = JSON.parse(kept.texts[0] ?? '');
      const [, owner] = /@(.*)$/.exec(snapshot) ?? [];
      expect(kept.texts.at(-1)).toContain(`instance: ${owner} (worker `);
      for (let time = 0; time < 3; time++) {
        const compared = await client.call('compare_bean', { name: 'counter', since: snapshot });
        expect(compared.isError).toBe(false);
        expect(compared.texts.at(-1)).toContain(`instance: ${owner} `);
      }
      await client.close();
    }
  });

  it('show a bean of all of them as JSON, as XML and as a page', async () => {
    const json = await (await get('/jig/bean/who.json?instance=all')).json();
    expect(Object.keys(json)).toEqual(all.map(({ id }) => id));
    expect(Object.values(json)).toEqual(
      all.map(({ pid }, index) => ({ pid, host: 'db.example', limit: index === 1 ? 10 : 20, password: '******' })),
    );
    const pretty = await (await get('/jig/bean/who.json?instance=all&pretty&at=/limit')).text();
    expect(pretty).toBe(`{\n${all.map(({ id }, index) => `  "${id}": ${index === 1 ? 10 : 20}`).join(',\n')}\n}`);
    const xml = await (await get('/jig/bean/who.xml?instance=all&at=/pid')).text();
    expect(xml).toBe(
      `<instances>${all.map(({ id, pid }) => `<instance id="${id}"><Number>${pid}</Number></instance>`).join('')}</instances>`,
    );
    const page = await (await get('/jig/bean/who.html?instance=all', html)).text();
    expect(page).toContain('2 of 4 values differ in the 4 instances');
    expect([...page.matchAll(/<a class="path"[^>]*>([^<]*)/g)].map(([, path]) => path)).toEqual(['/pid', '/limit']);
    expect(page).not.toContain('pass-of');
    expect((await get('/jig/bean/none.json?instance=all')).status).toBe(404);
    expect((await get('/jig/bean?instance=all')).status).toBe(400);
    expect((await get('/jig/bean/who.json?instance=all&depth=x')).status).toBe(400);
  });

  it('export the metrics of all', async () => {
    const answer = await get('/jig/metrics?instance=all');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    const lines = (await answer.text()).split('\n');
    for (const { id } of all) {
      expect(lines.filter((line) => line.startsWith('target_info{') && line.includes(`"${id}"`))).toHaveLength(1);
      const memory = `process_memory_usage_bytes{bean="process",service_instance_id="${id}"}`;
      expect(lines.filter((line) => line.startsWith(memory))).toHaveLength(1);
    }
    expect(lines.filter((line) => line.startsWith('# TYPE process_memory_usage_bytes '))).toHaveLength(1);
  });

  it('report which of them do not have a bean', async () => {
    const answer = await get('/jig/bean/onlyFirst.json?instance=all');
    expect([answer.status, answer.headers.get('jig-truncated')]).toEqual([200, 'true']);
    const [first, ...others] = Object.values(await answer.json());
    expect(first).toEqual({ pid: all[0]?.pid });
    expect(others).toEqual(Array.from({ length: 3 }, () => '[Instance does not have it]'));
    const page = await (await get('/jig/bean/onlyFirst.html?instance=all', html)).text();
    expect(page).toContain('It does not have it.');
  });
});

/** The answer of a worker that can give one: Node may hand a connection to one that is busy or has just ended, which nobody answers then. */
async function answered(url: string): Promise<Record<string, unknown>> {
  for (;;) {
    try {
      return await (await fetch(url, { signal: AbortSignal.timeout(20_000) })).json();
    } catch {
      // Another connection is for the next worker.
    }
  }
}

describe('a worker', () => {
  it('that was killed disappears from the list, and the others answer', async () => {
    await using application = await startApplication('cluster', { arguments: ['4'] });
    const [victim, ...others] = await instancesOf(application.url);
    const ids = others.map(({ id }) => id);
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    const all = `${application.url}/jig/bean/who.json?instance=all&at=/pid`;
    // Each has a second, which a busy machine may not give it.
    await expect
      .poll(async () =>
        Object.entries(await answered(all))
          .filter(([, pid]) => typeof pid === 'number')
          .map(([id]) => id),
      )
      .toEqual(ids);
    await expect.poll(async () => Object.keys(await answered(all))).toEqual(ids);
    const gone = await answered(`${application.url}/jig/bean/who.json?instance=${victim?.id}`);
    expect(gone).toMatchObject({ status: 404 });
  });
});
