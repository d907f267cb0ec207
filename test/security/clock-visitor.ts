/** Sends the clock's form and gives the Set-Cookie header of the answer. */
export async function choose(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${url}/clock/time`, { method: 'POST', body, headers, redirect: 'manual' });
  await answer.arrayBuffer();
  if (answer.status !== 302) throw new Error(`POST was answered ${answer.status}`);
  return answer.headers.getSetCookie()[0] ?? '';
}

/** What a browser sends back of a Set-Cookie header. */
export const cookieOf = (header: string) => header.split(';')[0] ?? '';

/** What the session of a cookie holds. */
export async function sessionOf(url: string, cookie: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}/jig/bean/session.json`, { headers: { cookie } });
  return (await answer.json()) as Record<string, unknown>;
}
