import { describe, expect, it } from 'vitest';
import { shown, written } from '../test-fixtures/shown.ts';
import { find } from './find.ts';
import { InnerSession, readPrivateFields } from './inner-session.ts';
import { inspect } from './inspect.ts';
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
  it('are shown with the option privateFields only, after other properties, masked by name and value', () => {
    expect(shown(new Account())).not.toHaveProperty('#owner');
    expect(written(new Account(), options)).toBe(
      '{"size":1,"note":"the password is ******","count":1,"owner":"Ada","#base":{"a":1},"#owner":{"name":"Ada"},"#password":"******","#runs":0,"#numbers":[1,"NaN"]}',
    );
    expect(written(new Account(), { ...options, format: 'xml' })).toMatch(/^(?=.*Ada)(?!.*correct horse)/);
  });

  it('are not shown when a getter of the same name returns them', () => {
    class Message {
      readonly #headers = { host: 'a' };
      readonly #sent = 5;
      get headers() {
        return this.#headers;
      }
      get sent() {
        return this.#sent > 4;
      }
    }
    expect(shown(new Message(), options)).toEqual({ headers: { host: 'a' }, sent: true, '#sent': 5 });
  });

  it('are rows of an outline, which then does not report hidden private fields', () => {
    expect(outline(new Account())).toHaveProperty('hasPrivateFields', true);
    const rows = outline({ account: new Account() }, { ...options, at: '/account' });
    expect(rows).not.toHaveProperty('hasPrivateFields');
    expect(rows.entries).toContainEqual(expect.objectContaining({ key: '#owner', pointer: '/account/#owner' }));
    expect(rows.entries.find(({ key }) => key === '#password')).toMatchObject({ kind: 'masked' });
    expect(rows.size).toBe(9);
  });

  it('can be addressed and searched, and are part of the line, masked', async () => {
    expect(shown([new Account()], { ...options, at: '/0/#owner' })).toEqual({ name: 'Ada' });
    expect(() => inspect([new Account()], { at: '/0/#owner' })).toThrow('at leads to nothing');
    const { hits } = await find({ account: new Account() }, 'name', options);
    expect(hits.map(({ pointer }) => pointer)).toEqual(['/account/#owner/name']);
    class Counter {
      #count = 0;
      readonly #apiKey = 'planted-secret';
      add() {
        return this.#apiKey.length + this.#count++;
      }
    }
    expect(stateLine(new Counter(), options)).toBe('#count 0, #apiKey ******');
    expect(stateLine(new Counter())).toBe('');
  });

  it('are read without running accessors, and leave no trace: no global, no property', () => {
    const account = new Account();
    const traces = () => [Reflect.ownKeys(globalThis).length, Reflect.ownKeys(account)];
    const before = traces();
    written(account, options);
    expect(written(account, { ...options, at: '/#runs' })).toBe('0');
    expect(traces()).toEqual(before);
    expect(account.owner).toBe('Ada');
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
