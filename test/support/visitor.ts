import { type ClockPage, parseClockPage } from './clock-page.ts';

/** A person with a browser: keeps the session's cookie, follows no redirect by itself. */
export class Visitor {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #cookie = '';

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(this.#headers);
    if (this.#cookie !== '') headers.set('cookie', this.#cookie);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const answer = await fetch(`${this.#url}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.#cookie = line.split(';')[0] ?? '';
    return answer;
  }

  /** Sends a form, written out as it goes over the wire. */
  post(form: string, type = 'application/x-www-form-urlencoded'): Promise<Response> {
    return this.ask('/clock/time', { method: 'POST', body: form, headers: { 'content-type': type } });
  }

  choose(entries: Readonly<Record<string, string>>): Promise<Response> {
    return this.post(new URLSearchParams(entries).toString());
  }

  async page(): Promise<ClockPage> {
    // Uncompressed pages take half of the work; other requests of tests get compressed ones.
    const answer = await this.ask('/clock/time', { headers: { 'accept-encoding': 'identity', ...this.#headers } });
    const html = await answer.text();
    if (answer.status !== 200) throw new Error(`The clock answered ${answer.status}: ${html.slice(0, 500)}`);
    return parseClockPage(html);
  }

  /** The caller's session attributes, as the bean `session` shows them. */
  async attributes(): Promise<Record<string, string>> {
    return (await (await this.ask('/jig/bean/session.json')).json()) as Record<string, string>;
  }
}
