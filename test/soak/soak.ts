import { mainWith, makeApplication } from '../support/make-application.ts';
import { startService } from '../support/start-service.ts';
import type { Holding, Latencies } from './measurements.ts';
import { SoakRun } from './soak-run.ts';

export interface SoakOptions {
  /** How long it takes at least. */
  readonly seconds: number;
  /** How often the database is killed on the way. */
  readonly kills: number;
  readonly users: number;
  readonly report?: (line: string) => void;
  /** The data folder of the service; without one, a new one. */
  readonly home?: string;
  /** How long a user waits after each visit, in milliseconds; 0 unless told. */
  readonly thinkTime?: number;
}

export interface SoakResult {
  readonly latencies: ReadonlyMap<string, Latencies>;
  readonly kills: number;
  /** Answers that nobody announced. */
  readonly surprises: readonly string[];
  /** Answers of 503 while the database was away. */
  readonly announced: number;
  readonly sessions: number;
  /** Sessions that are not what was stored. */
  readonly wrongSessions: readonly string[];
  readonly holdings: readonly Holding[];
}

/** The service with its add-ons, and beside its own beans one of a few MB. */
const main = mainWith(`[clockFeature, { name: 'big', register(host) {
  const rows = Array.from({ length: 20000 }, (_, id) => ({ id, name: 'row ' + id, tags: ['a', 'b'], made: new Date(id) }));
  host.define('big', { type: 'Big', create: () => ({ rows }) });
} }]`).replace('import', "import { clockFeature } from '@jig/clock';\nimport");

/** A machine that is busy with other things is no fault of the service; a killed server is noticed at once all the same. */
const patient = {
  // Longer than any soak: what was stored at its beginning must be there at its end.
  JIG_SESSIONS_TIME_TO_LIVE: '1d',
  JIG_SESSIONS_STORE_DEADLINE: '10s',
  JIG_DATABASE_CONNECT_TIMEOUT: '10s',
  JIG_DATABASE_SESSION_QUERY_TIMEOUT: '10s',
};

/** Users of every locale who choose, look and inspect, while the database is killed and every cache is too small. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const dependencies = ['@jig/bean-inspection', '@jig/embedded-database', '@jig/clock'];
  const application = await makeApplication({ main, dependencies });
  const service = await startService({
    main: application.main,
    workingDirectory: application.folder,
    environment: patient,
    ...(options.home === undefined ? {} : { home: options.home }),
  });
  try {
    return await new SoakRun(service, options).result();
  } finally {
    await service.stop();
    await application.remove();
  }
}

/** The percentiles of each kind of request, in milliseconds. */
export function latencyTable(latencies: ReadonlyMap<string, Latencies>): string {
  const rows = [...latencies].map(([kind, latency]) => {
    const at = (percent: number) => latency.percentile(percent).toFixed(1).padStart(8);
    return `${kind.padEnd(10)} ${String(latency.count).padStart(8)} ${at(50)} ${at(90)} ${at(99)} ${at(99.9)}`;
  });
  return ['ms            count       50       90       99     99.9', ...rows].join('\n');
}
