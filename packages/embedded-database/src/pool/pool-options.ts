/** How a pool behaves; times are in milliseconds. */
export interface PoolOptions {
  /** The most connections at once. */
  readonly size: number;
  readonly connectTimeout: number;
  /** 0: as long as they like. */
  readonly queryTimeout: number;
}
