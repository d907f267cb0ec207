/** What a developer wants to know of the objects of a class. */
export interface View<T extends object = object> {
  /** The class as its users call it, such as `pg.Pool`. */
  readonly name: string;
  /** By shape, never by import, so that a second copy of a library is recognised too. Runs no code of the object. */
  matches(value: object): value is T;
  /** What one wants to know at a glance, by name, in the order to show it. Reading must not change the object. */
  readonly readings?: Readonly<Record<string, Reading<T>>>;
  /** What it holds, where its own properties do not say: the entries of a cache, the state of a store. */
  content?(value: T): unknown;
}

/** A value with a name and a unit. */
export interface Reading<T extends object = object> {
  /** A number, text or boolean; a list of objects is a table. */
  read(value: T): unknown;
  /** Such as `ms`, `s`, `bytes`. */
  readonly unit?: string;
  /** The most that it can be. */
  of?(value: T): unknown;
  /** The name of the metric that it is exported as. */
  readonly metric?: string;
  /** What tells it apart from other readings with the same metric, such as `{ 'db.client.connection.state': 'idle' }`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The name of the metric that the most that it can be is exported as. */
  readonly ofMetric?: string;
  /** Whether it is a fact that does not move, such as a maximum or a timeout. */
  readonly isSetting?: boolean;
  /** Whether it lives elsewhere: then it is read only when somebody asks for it, by `ask`, and may be a promise. */
  readonly ask?: boolean;
  readonly description?: string;
}

/** An object with these properties, as far as a view must know. */
export type With<Name extends string, Value = unknown> = Readonly<Record<Name, Value>>;

/** A reading of something that does not move. */
export function setting<T extends object>(read: (value: T) => unknown, unit?: string): Reading<T> {
  return unit === undefined ? { read, isSetting: true } : { read, isSetting: true, unit };
}
