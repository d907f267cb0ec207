import { Secrets, type View } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { Beans } from '../beans/beans.ts';
import { CurrentMasking, Look } from '../beans/look.ts';
import { Access } from '../http/access.ts';
import type { ReadingAddress } from '../options.ts';
import type { BeanSource } from '../sources/bean-source.ts';
import { type Inspectable, toBeanSource } from '../sources/plain.ts';
import { Readings } from './readings.ts';

class Queue {
  jobs = [1, 2, 3];
  most = 10;
  token = 'hunter22-hunter22';
}

const queueView: View<Queue> = {
  name: 'Queue',
  matches: (value): value is Queue => value instanceof Queue,
  readings: {
    waiting: { read: ({ jobs }) => jobs.length, of: ({ most }) => most, unit: 'jobs', metric: 'queue.waiting' },
    failing: {
      read: ({ token }) => {
        throw new Error(`no ${token}`);
      },
    },
    state: { read: () => 'open' },
    remote: { read: async () => 1, ask: true },
    most: { read: ({ most }) => most, isSetting: true },
    limit: { read: ({ most }) => most, isSetting: true, metric: 'queue.limit' },
    pin: { read: () => 1234 },
  },
};

function readingsOfBeans(beans: Inspectable, options: { deny?: string[]; now?: () => number; views?: View[] } = {}) {
  const { deny = [], now = () => 0, views = [queueView as View] } = options;
  const secrets = new Secrets();
  secrets.add('123456789');
  const limits = {
    depth: 64,
    limit: 0,
    getters: 'run',
    privateFields: false,
  } as const;
  const masking = new CurrentMasking(secrets, {});
  const access = new Access({ hosts: [], allow: [], deny }, (name) => name);
  const found = new Beans(toBeanSource(beans), access, () => masking.ofBeans, {});
  return new Readings({ beans: found, look: new Look(found, masking, { ...limits, views }) }, now);
}

class Orders {
  open = [{ id: 1 }, { id: 2 }];
  byName = new Map([['kettle', { stock: 7, size: 3 }]]);
  sizes = new Map([['size', 42]]);
  paid = true;
  big = 12n;
  total = Number.NaN;
  name = 'orders';
  none = undefined;
  account = 123456789;
  userPin = 1234;
  #walked = 0;
  get walked(): number {
    return ++this.#walked;
  }
  get broken(): number {
    throw new Error('no connection');
  }
}

describe('a value by its pointer', () => {
  const readings = readingsOfBeans({ orders: new Orders() });
  const at = (pointer: string) => readings.read({ bean: 'orders', at: pointer });

  it.each([
    ['/open', 2],
    ['/open/length', 2],
    ['/open/1/id', 2],
    ['/byName', 1],
    ['/byName/size', 1],
    ['/byName/kettle/stock', 7],
    ['/byName/kettle/size', 3],
    ['/sizes/size', 42],
    ['/paid', 1],
    ['/big', 12],
  ])('%s is %d', (pointer, value) => {
    expect(at(pointer)).toEqual({ value });
  });

  it.each([
    ['/nothing', 'there is nothing at this pointer'],
    ['/open/7', 'there is nothing at this pointer'],
    ['/name', 'it is a text'],
    ['/name/length', 'there is nothing at this pointer'],
    ['/none', 'there is no value'],
    ['/total', 'it is NaN'],
    ['/broken', '[Threw Error: no connection]'],
    ['/userPin', 'it is masked'],
    ['/account', 'it is masked'],
  ])('%s is none', (pointer, fault) => {
    expect(at(pointer)).toEqual({ fault });
  });

  it('is read without reading the rest of the bean', () => {
    at('/paid');
    at('/byName/kettle/stock');
    expect(at('/walked')).toEqual({ value: 1 });
  });

  it('does not lead into a proxy or a closed bean', () => {
    const secret = { count: 1 };
    const trapped = new Proxy({ count: 1 }, { get: () => expect.unreachable() });
    const guarded = readingsOfBeans({ holder: { secret, trapped }, secret }, { deny: ['secret'] });
    expect(guarded.read({ bean: 'holder', at: '/secret/count' }).fault).toBe('there is nothing at this pointer');
    expect(guarded.read({ bean: 'holder', at: '/secret' }).fault).toBe('it is closed');
    expect(guarded.read({ bean: 'holder', at: '/trapped/count' }).fault).toBe('there is nothing at this pointer');
    expect(guarded.read({ bean: 'secret', at: '/count' }).fault).toBe('the bean is closed');
  });
});

describe('a value by a reading', () => {
  const readings = readingsOfBeans({ queue: new Queue() });
  const read = (reading: string) => readings.read({ bean: 'queue', reading });

  it('has its unit and its maximum', () => {
    expect(read('waiting')).toEqual({ value: 3, of: 10, unit: 'jobs' });
  });

  it.each([
    ['state', 'it is a text'],
    ['remote', 'it lives elsewhere, and is read only when somebody asks for it'],
    ['failing', '[Threw Error: no ******]'],
    ['pin', 'it is masked'],
    ['toString', 'the bean has no such reading'],
  ])('%s is none', (reading, fault) => {
    expect(read(reading)).toEqual({ fault });
  });
});

describe('a bean', () => {
  it('is not created', () => {
    const beans = {
      get lazy(): object {
        return expect.unreachable();
      },
    };
    expect(readingsOfBeans(beans).read({ bean: 'lazy', at: '' }).fault).toMatch(/does not exist yet/);
  });

  it('whose source fails is a gap', () => {
    const fails = () => {
      throw new Error('no');
    };
    const source: BeanSource = { describe: fails, has: fails, peek: fails, get: fails };
    expect(readingsOfBeans(source).read({ bean: 'any', at: '' })).toEqual({ fault: 'the source of the beans failed' });
  });

  it('that hangs is skipped, and tried again for a fiftieth of the time', () => {
    let now = 0;
    let calls = 0;
    let slowness = 100;
    const slow = {
      count: 1,
      get hanging() {
        calls++;
        now += slowness;
        return 5;
      },
    };
    const readings = readingsOfBeans({ slow, quick: { count: 2 } }, { now: () => now });
    const hanging: ReadingAddress = { bean: 'slow', at: '/hanging' };
    expect(readings.read(hanging)).toEqual({ value: 5 });
    // Anything may be slow once.
    expect(readings.read({ bean: 'slow', at: '/count' })).toEqual({ value: 1 });
    expect(readings.read(hanging)).toEqual({ value: 5 });
    const fault = 'reading this bean took 100 ms, so it is read less often';
    expect(readings.read({ bean: 'slow', at: '/count' })).toEqual({ fault });
    expect(readings.read({ bean: 'quick', at: '/count' })).toEqual({ value: 2 });
    now += 4999;
    expect(readings.read(hanging)).toEqual({ fault });
    expect(() => readings.check(hanging)).toThrow(expect.objectContaining({ status: 503 }));
    expect(calls).toBe(2);
    now += 1;
    slowness = 1;
    expect(readings.read(hanging)).toEqual({ value: 5 });
    expect(readings.read({ bean: 'slow', at: '/count' })).toEqual({ value: 1 });
    slowness = 1_000_000;
    expect(readings.read(hanging)).toEqual({ value: 5 });
    now += 599_999;
    expect(readings.read(hanging).fault).toMatch(/took 1000000 ms/);
    now += 1;
    slowness = 1;
    expect(readings.read(hanging)).toEqual({ value: 5 });
    expect(calls).toBe(5);
  });
});

it('all lists changing values and metrics of beans that exist, without reading them', () => {
  const listed = [...readingsOfBeans({ queue: new Queue(), hidden: new Queue() }, { deny: ['hidden'] }).all()];
  expect(listed.map(({ bean, reading }) => `${bean} ${reading}`)).toEqual(
    ['waiting', 'failing', 'state', 'limit', 'pin'].map((name) => `queue ${name}`),
  );
  expect(listed[0]).toMatchObject({ unit: 'jobs', metric: 'queue.waiting', isSetting: false });
});

describe('what is to be watched', () => {
  const readings = readingsOfBeans({ orders: new Orders(), queue: new Queue(), hidden: {} }, { deny: ['hidden'] });
  const statusOf = (address: ReadingAddress) => {
    try {
      return readings.check(address);
    } catch (error) {
      const { status, detail } = error as { status: number; detail: string };
      return [status, detail];
    }
  };

  it.each<[ReadingAddress, unknown]>([
    [
      { bean: 'queue', reading: 'waiting' },
      { value: 3, of: 10, unit: 'jobs' },
    ],
    [{ bean: 'none', at: '' }, [404, 'Resource not found: there is no bean of that name.']],
    [{ bean: 'hidden', at: '' }, [403, 'This cannot be watched: the bean is closed.']],
    [{ bean: 'orders', at: 'open' }, [400, 'at must be a JSON Pointer such as /a/0/b.']],
    [{ bean: 'orders', at: '/no' }, [404, 'Resource not found: there is nothing at this pointer.']],
    [{ bean: 'orders', at: '/name' }, [400, 'This cannot be watched: it is a text.']],
    [{ bean: 'orders', at: '/userPin' }, [403, 'This cannot be watched: it is masked.']],
    [{ bean: 'orders', at: '/broken' }, [409, 'This cannot be watched now: its getter threw Error: no connection.']],
    [{ bean: 'queue', reading: 'most' }, [400, 'This cannot be watched: it is a setting, which does not move.']],
    [{ bean: 'queue', reading: 'no' }, [404, 'Resource not found: the bean has no such reading.']],
  ])('%j', (address, expected) => {
    expect(statusOf(address)).toEqual(expected);
  });
});
