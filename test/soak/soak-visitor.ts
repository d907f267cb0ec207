/** One user with a cookie: remembers what was stored, and what it is told to expect. */
export class SoakVisitor {
  readonly #url: string;
  #cookie = '';
  readonly stored = new Map<string, string>();
  /** Keys whose last POST was answered neither yes nor no, so that either value may be there. */
  readonly #unsure = new Set<string>();

  constructor(url: string) {
    this.#url = url;
  }

  get headers(): Record<string, string> {
    return this.#cookie === '' ? {} : { cookie: this.#cookie };
  }

  async choose(fields: Readonly<Record<string, string>>): Promise<number> {
    const answer = await fetch(`${this.#url}/clock/time`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: this.headers,
      redirect: 'manual',
    });
    await answer.arrayBuffer();
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    for (const [name, value] of Object.entries(fields)) {
      if (answer.status === 302) {
        this.stored.set(name, value);
        this.#unsure.delete(name);
      } else {
        // The database may have stored it and died before it could say so.
        this.#unsure.add(name);
      }
    }
    return answer.status;
  }

  /** What differs between the session and what was stored; nothing, if all is well. */
  async differences(): Promise<string[]> {
    if (this.stored.size === 0) return [];
    const answer = await fetch(`${this.#url}/jig/bean/session.json`, { headers: this.headers });
    if (answer.status !== 200) return [`the session was answered ${answer.status}`];
    const attributes = (await answer.json()) as Record<string, string>;
    return [...this.stored]
      .filter(([name, value]) => attributes[name] !== value && !this.#unsure.has(name))
      .map(([name, value]) => `${name} should be ${value} and is ${attributes[name]}`);
  }
}
