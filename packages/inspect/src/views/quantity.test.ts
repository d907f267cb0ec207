import { describe, expect, it } from 'vitest';
import { Masking } from '../masking/masking.ts';
import { quantityAt, quantityOf } from './quantity.ts';

const options = { masking: new Masking({ secrets: ['123456789'] }), getters: 'run' } as const;

class Pool {
  waiting = 3;
  isOpen = true;
  idle = [1, 2];
  byName = new Map([['a', 1]]);
  named = new Map([['size', 7]]);
  tags = new Set(['x']);
  account = 123456789;
  userPin = 1234;
  closed = [1];
  get used(): number {
    return this.waiting + 1;
  }
}

describe('a number by its pointer', () => {
  const pool = new Pool();
  it.each<[string, object]>([
    ['/waiting', { value: 3 }],
    ['/isOpen', { value: 1 }],
    ['/used', { value: 4 }],
    ['/idle', { value: 2 }],
    ['/idle/length', { value: 2 }],
    ['/idle/1', { value: 2 }],
    ['/byName', { value: 1 }],
    ['/byName/size', { value: 1 }],
    ['/named/size', { value: 7 }],
    ['/tags/size', { value: 1 }],
    ['/account', { fault: 'it is masked', why: 'masked' }],
    ['/userPin', { fault: 'it is masked', why: 'masked' }],
    ['/closed', { fault: 'it is closed', why: 'closed' }],
    ['/nothing', { fault: 'there is nothing at this pointer', why: 'missing' }],
  ])('%s', (at, quantity) => {
    expect(quantityAt(pool, at, { ...options, closed: new Set([pool.closed]) })).toEqual(quantity);
  });

  it('is masked when the application masks it by its value', () => {
    const judged = { ...options, masking: new Masking({ mask: ({ value }) => value === 3 }) };
    expect(quantityAt(pool, '/waiting', judged)).toEqual({ fault: 'it is masked', why: 'masked' });
  });
});

it('a number of a reading has its maximum, and a fault when it cannot be read', () => {
  const read = (value: unknown) => quantityOf('waiting', { read: () => value, of: () => 10 }, {}, options.masking);
  expect(read(3)).toEqual({ value: 3, of: 10 });
  expect(read('a text')).toMatchObject({ fault: 'it is a text' });
  expect(read([{}, {}])).toMatchObject({ value: 2 });
  expect(quantityOf('userPin', { read: () => 3 }, {}, options.masking)).toMatchObject({ why: 'masked' });
  const broken = () => {
    throw new Error('no connection');
  };
  const failed = { fault: '[Threw Error: no connection]', why: 'failed' };
  expect(quantityOf('broken', { read: broken }, {}, options.masking)).toEqual(failed);
});
