/** How one part of the application is; `details` are worth reading and never secret. */
export interface PartHealth {
  /** Whether the part does its work; one that does not makes `/health` answer 503. */
  readonly ok: boolean;
  /** In the part's own words: `ready`, `restarting`, … */
  readonly state: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type HealthCheck = () => PartHealth | Promise<PartHealth>;

export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly parts: Readonly<Record<string, PartHealth>>;
}
