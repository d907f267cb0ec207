/** Where a walk tells what it sees. A key comes before each value of an object, none before an item of a list. */
export interface Sink {
  key(name: string): void;
  null(): void;
  boolean(value: boolean): void;
  number(value: number | bigint): void;
  text(value: string): void;
  open(form: Form): void;
  close(): void;
}

export type Form = 'object' | 'list';
