import { describe, expect, it } from 'vitest';
import { find } from './find.ts';
import { InnerSession, readPrivateFields } from './inner-session.ts';
import { inspect } from './inspect.ts';
import { LearnedTexts } from './masking/learned-texts.ts';
import { Masking } from './masking/masking.ts';
import { SecretFinder, Secrets } from './masking/secrets.ts';
import { outline } from './outline.ts';
import { stateLine } from './views/state-line.ts';

class Base {
  readonly #base = new Map([['a', 1]]);
  readonly size = 1;

  get count(): number {
    return this.#base.size;
  }
}

class Account extends Base {
  #owner = { name: 'Ada' };
  #password = 'correct horse 1';
  #runs = 0;
  #numbers = [1n, Number.NaN];
  readonly note = 'the password is correct horse 1';

  get #secret(): string {
    this.#runs++;
    return this.#password;
  }

  #method(): string {
    return this.#secret;
  }

  get owner(): string {
    return this.#owner.name;
  }

  reveal(): string {
    return this.#method() + this.#numbers.length + this.#runs;
  }
}

const options = { privateFields: readPrivateFields };

describe('private fields', () => {
  it('are not shown without the option privateFields', () => {
    expect(JSON.parse(inspect(new Account()).toString())).not.toHaveProperty('#owner');
  });

  it('are shown in JSON after the other properties, and masked by name and value', () => {
    expect(inspect(new Account(), options).toString()).toBe(
      '{"size":1,"note":"the password is ******","count":1,"owner":"Ada","#base":{"a":1},"#owner":{"name":"Ada"},"#password":"******","#runs":0,"#numbers":[1,"NaN"]}',
    );
  });

  it('are shown in XML', () => {
    const xml = inspect(new Account(), { ...options, format: 'xml' }).toString();
    expect(xml).toContain('Ada');
    expect(xml).toContain('******');
    expect(xml).not.toContain('correct horse');
  });

  it('are rows of an outline, which then does not report hidden private fields', () => {
    const plain = outline(new Account());
    expect(plain).toHaveProperty('hasPrivateFields', true);
    const shown = outline({ account: new Account() }, { ...options, at: '/account' });
    expect(shown).not.toHaveProperty('hasPrivateFields');
    expect(shown.entries.map(({ key, pointer }) => [key, pointer])).toContainEqual(['#owner', '/account/#owner']);
    expect(shown.entries.find(({ key }) => key === '#password')).toMatchObject({ kind: 'masked' });
    expect(shown.size).toBe(9);
  });

  it('can be addressed', () => {
    expect(inspect([new Account()], { ...options, at: '/0/#owner' }).toString()).toBe('{"name":"Ada"}');
    expect(() => inspect([new Account()], { at: '/0/#owner' })).toThrow('at leads to nothing');
  });

  it('are found by a search', async () => {
    const { hits } = await find({ account: new Account() }, 'name', options);
    expect(hits.map(({ pointer }) => pointer)).toEqual(['/account/#owner/name']);
    expect((await find(new Account(), 'horse', options)).hits).toEqual([]);
  });

  it('are read without running accessors, and do not affect getters that read them', () => {
    const account = new Account();
    inspect(account, options).toString();
    expect(inspect(account, { ...options, at: '/#runs' }).toString()).toBe('0');
    expect(account.owner).toBe('Ada');
  });

  it('leave no trace: no global, no property, no open session', () => {
    const globals = Reflect.ownKeys(globalThis).length;
    const account = new Account();
    const keys = Reflect.ownKeys(account);
    inspect(account, options).toString();
    expect(Reflect.ownKeys(globalThis)).toHaveLength(globals);
    expect(Reflect.ownKeys(account)).toEqual(keys);
  });
});

describe('a session with the own inspector', () => {
  it('returns where a function was written and its scopes', () => {
    const session = new InnerSession();
    try {
      const makeService = () => {
        const cache = new Map([['a', 1]]);
        return () => cache;
      };
      const [{ kind, variables } = { kind: '', variables: {} }] = session.detailsOf(makeService()).scopes;
      expect(kind).toContain('makeService');
      expect(variables).toHaveProperty('cache', new Map([['a', 1]]));
      const add = (a: number, b: number) => a + b;
      expect(session.detailsOf(add.bind({ me: 1 }, 7)).bound).toEqual([add, { me: 1 }, [7]]);
      expect(session.detailsOf(makeService).location?.scriptId).toMatch(/^\d+$/);
    } finally {
      session.close();
    }
  });

  it('does not format the stack of an error in a private field or a promise', async () => {
    const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    const formatted: string[] = [];
    Error.prepareStackTrace = ({ message }) => {
      formatted.push(message);
      return `formatted: ${message}`;
    };
    try {
      const failure = new Error('out of stock');
      class Shop {
        readonly #last = failure;
        last = () => this.#last;
      }
      const rejected = Promise.reject(failure);
      await rejected.catch(() => {});
      const session = new InnerSession();
      expect(session.privateFields(new Shop()).get('#last')).toBe(failure);
      expect(session.resultOf(rejected)).toBe(failure);
      session.close();
      expect(formatted).toEqual([]);
      expect(failure.stack).toBe('formatted: out of stock');
    } finally {
      if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
      else Object.defineProperty(Error, 'prepareStackTrace', before);
    }
  });

  it('does not ask for the stack of an error, which may be a getter', () => {
    let runs = 0;
    class Failure extends Error {
      readonly #code = 1;
      override get stack(): string {
        runs++;
        return String(this.#code);
      }
    }
    class Holder {
      readonly #state = 1;
      readonly last = new Failure();
      read = () => this.#state;
    }
    expect(readPrivateFields(new Holder()).size).toBe(0);
    expect(readPrivateFields(new Failure()).size).toBe(0);
    expect(runs).toBe(0);
  });
});

it('no private field of our own objects shows the secrets that they know', async () => {
  const learned = new LearnedTexts();
  learned.add('learned-Hunter2');
  const finder = new SecretFinder(['known-Hunter2']);
  const secrets = new Secrets();
  secrets.add('added-Hunter2');
  const ours = { learned, finder, secrets, masking: new Masking({ secrets: finder }, learned) };
  const options = { privateFields: readPrivateFields };
  for (const bean of [ours, ...Object.values(ours)]) {
    const outlined = JSON.stringify(outline(bean, { ...options, levels: 4 }));
    const found = JSON.stringify(await find(bean, 'hunter2', options));
    const documents = [inspect(bean, options), inspect(bean, { ...options, format: 'xml' })].join();
    expect(documents + outlined + found + stateLine(bean, options)).not.toContain('Hunter2');
  }
});
