/** What matters in the objects of a class. */
export interface View<T extends object = object> {
  /** The class as its users call it, such as `pg.Pool`. */
  readonly name: string;
  /** Recognises by shape, not by import, since there may be several copies of a library. Runs no code of the object. */
  matches(value: object): value is T;
  /** Values by name, in the order to show them. Reading must not change the object. */
  readonly readings?: Readonly<Record<string, Reading<T>>>;
  /** The content that its properties do not show: the entries of a cache, the state of a store. */
  content?(value: T): unknown;
}

/** A value with a name and a unit. */
export interface Reading<T extends object = object> {
  /** A number, text or boolean; a list of objects is a table. */
  read(value: T): unknown;
  /** For example `ms`, `s` or `bytes`. */
  readonly unit?: string;
  /** Its maximum. */
  of?(value: T): unknown;
  /** The name of the metric that it is exported as. */
  readonly metric?: string;
  /** Attributes of the metric, such as `{ 'db.client.connection.state': 'idle' }`. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The name of the metric for the maximum. */
  readonly ofMetric?: string;
  /** Whether it is a constant, such as a maximum or a timeout. */
  readonly isSetting?: boolean;
  /** Whether it is remote, such as a number of jobs in Redis. Then only `ask` reads it, and it may be a promise. */
  readonly ask?: boolean;
  readonly description?: string;
}
