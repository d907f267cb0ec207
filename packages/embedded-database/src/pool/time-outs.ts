/** How long anybody waits for the database, in milliseconds. */
export interface TimeOuts {
  readonly connectTimeout: number;
  readonly queryTimeout: number;
}
