import { request } from './exchange.ts';

type Headers = Readonly<Record<string, string>>;

const html = { accept: 'text/html' };

/** The first event of a stream. */
async function firstEvent(url: string, more: Headers): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers: { ...more, accept: 'text/event-stream' }, signal: leaving.signal });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('data:') || !answer.ok) break;
  }
  leaving.abort();
  return text;
}

/** What the requests ask for. */
export interface Asked {
  /** The parts of addresses that stand for beans. */
  readonly beans: readonly string[];
  /** What to search for. */
  readonly texts: readonly string[];
  /** Changes the beans between a snapshot and a comparison with it. */
  readonly change: () => void;
}

/** Every kind of answer about beans, by its request. */
export async function everyAnswer(
  url: string,
  { beans, texts, change }: Asked,
  more: Headers = {},
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { body } = await request(url, `GET ${path}`, { ...more, ...headers });
    answers.set(`${path} ${headers.accept ?? ''}`, body);
  };
  const call = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await fetch(`${url}/jig/mcp`, {
      method: 'POST',
      headers: { ...more, 'content-type': 'application/json' },
      body,
    });
    const text = await answer.text();
    answers.set(`${method} ${body}`, text);
    return text;
  };
  const tool = (name: string, given: object) => call('tools/call', { name, arguments: given });
  const body = new URLSearchParams({ name: 'before', wait: '0' });
  await fetch(`${url}/jig/compare`, { method: 'POST', headers: more, body });
  change();
  for (const path of ['/jig/bean.json', '/jig/bean.xml', '/jig/bean.json?pretty', '/jig/graph.dot', '/jig/graph.mmd'])
    await get(path);
  for (const path of ['/jig/compare.json', '/jig/compare.json?from=before']) await get(path);
  await get('/jig/compare.json-patch?from=before');
  for (const path of ['/jig/bean', '/jig/graph', '/jig/compare?from=before']) await get(path, html);
  for (const bean of beans) {
    const path = `/jig/bean/${bean}`;
    for (const form of ['json', 'xml', 'json?depth=3']) await get(`${path}.${form}`);
    await get(`${path}.html`, html);
    await get(`${path}.html?levels=all`, html);
    for (const form of ['json', 'html'])
      answers.set(`stream of ${bean}.${form}`, await firstEvent(`${url}${path}.${form}`, more));
    await get(`/jig/compare.json?from=before&bean=${bean}`);
    await get(`/jig/compare?from=before&bean=${bean}`, html);
    const name = decodeURIComponent(bean);
    for (const given of [{}, { format: 'xml' }, { depth: 1 }]) await tool('read_bean', { name, ...given });
    await tool('history', { name, at: '' });
    await tool('compare_bean', { name });
    await tool('compare_bean', { name, since: 'before' });
  }
  for (const text of texts) {
    await get(`/jig/bean.json?find=${encodeURIComponent(text)}`);
    await get(`/jig/bean?find=${encodeURIComponent(text)}`, html);
    await get(`/jig/bean?q=${encodeURIComponent(text)}`, html);
    await tool('find', { text });
    await tool('list_beans', { name: text });
    await tool('read_bean', { name: text });
  }
  await get('/jig/watch.json');
  await get('/jig/watch', html);
  await tool('list_beans', {});
  return answers;
}
