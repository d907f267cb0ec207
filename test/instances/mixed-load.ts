import { instancesOf, type ListedInstance } from './start-application.ts';

type Check = (url: string, instance: ListedInstance, round: number) => Promise<string | undefined>;

/** What a request expects; undefined when all is well. */
async function expectInstance(answer: Response, { id }: ListedInstance): Promise<string | undefined> {
  const text = await answer.text();
  if (answer.ok && answer.headers.get('jig-instance') === id) return undefined;
  return `${answer.url}: ${answer.status} of ${answer.headers.get('jig-instance')}: ${text.slice(0, 200)}`;
}

const page: Check = async (url, instance, round) => {
  const paths = [`/bean/who.html`, '/graph', '/bean', '/compare', '/bean/big.html'];
  const answer = await fetch(`${url}/jig${paths[round % paths.length]}?instance=${instance.id}`, {
    headers: { accept: 'text/html' },
  });
  return expectInstance(answer, instance);
};

const document: Check = async (url, instance) => {
  const answer = await fetch(`${url}/jig/bean/who.json?instance=${instance.id}`);
  const { pid } = await answer.clone().json();
  return pid === instance.pid ? expectInstance(answer, instance) : `${pid} in place of ${instance.pid}`;
};

/** The first event of a stream. */
const stream: Check = async (url, instance) => {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/jig/bean/who.json?instance=${instance.id}`, {
    headers: { accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  if (!answer.ok) return expectInstance(answer, instance);
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('data: ')) break;
  }
  leaving.abort();
  return text.includes(`"pid":${instance.pid}`) ? undefined : `a stream began with ${text}`;
};

/** A snapshot that any worker keeps, and what has changed since, for which any worker asks that one. */
const compare: Check = async (url) => {
  const body = new URLSearchParams({ bean: 'who', wait: '0' });
  const kept = await fetch(`${url}/jig/compare.json`, { method: 'POST', body });
  const { id: from } = await kept.json();
  const id = kept.headers.get('jig-instance') ?? '';
  const answer = await fetch(`${url}/jig/@${id}/compare.json?from=${from}&bean=who`);
  return expectInstance(answer, { id, label: '', pid: 0 });
};

const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };

const agent: Check = async (url, instance) => {
  const params = { name: 'read_bean', arguments: { name: 'who' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await fetch(`${url}/jig/@${instance.id}/mcp`, { method: 'POST', headers, body });
  const { result } = await answer.clone().json();
  const isRight = JSON.parse(result.content[0].text).pid === instance.pid;
  return isRight && result.content.at(-1).text === `instance: ${instance.id} (${instance.label})`
    ? expectInstance(answer, instance)
    : JSON.stringify(result);
};

const checks = [page, document, document, stream, compare, agent];

/** Sends requests of all kinds at once, each for some instance or for what another request has kept; tells those that went astray. */
export async function mixedLoad(url: string, count: number): Promise<{ requests: number; wrong: readonly string[] }> {
  const instances = await instancesOf(url);
  const wrong: string[] = [];
  let requests = 0;
  const client = async () => {
    while (requests < count) {
      const round = requests++;
      const instance = instances[round % instances.length] as ListedInstance;
      const check = checks[Math.floor(round / instances.length) % checks.length] as Check;
      const problem = await check(url, instance, round).catch(String);
      if (problem !== undefined) wrong.push(problem);
    }
  };
  await Promise.all(Array.from({ length: 12 }, client));
  return { requests, wrong: wrong.slice(0, 5) };
}
