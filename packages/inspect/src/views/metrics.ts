/** The unit and type of a metric. */
export interface MetricFacts {
  /** A unit in UCUM, as in OpenTelemetry: `s`, `By`, `1` for a ratio, `{connection}` for counts. */
  readonly unit: string;
  /** Whether it only grows. */
  readonly isCounter?: true;
  readonly description: string;
}

const ofPool = (description: string): MetricFacts => ({ unit: '{connection}', description });

/** Names of OpenTelemetry's semantic conventions, which may still change: only here. */
export const metrics = {
  'db.client.connection.count': ofPool('Connections of a pool, by their state.'),
  'db.client.connection.max': ofPool('The most connections that a pool may have.'),
  'db.client.connection.pending_requests': { unit: '{request}', description: 'Requests that wait for a connection.' },
  'http.server.active_requests': { unit: '{request}', description: 'Requests that are being answered.' },
  'nodejs.eventloop.delay.p50': { unit: 's', description: 'How late the event loop is, half of the time.' },
  'nodejs.eventloop.delay.p99': { unit: 's', description: 'How late the event loop is, 1 % of the time or less.' },
  'nodejs.eventloop.utilization': { unit: '1', description: 'The share of time in which the event loop is busy.' },
  'process.cpu.time': { unit: 's', isCounter: true, description: 'The time of all cores that the process has used.' },
  'process.cpu.utilization': { unit: '1', description: 'The share of a core that the process uses.' },
  'process.memory.usage': { unit: 'By', description: 'The memory that the process has in RAM.' },
  'process.uptime': { unit: 's', description: 'How long the process has been running.' },
  'v8js.gc.duration': { unit: 's', isCounter: true, description: 'The time that garbage collection has taken.' },
  'v8js.memory.heap.limit': { unit: 'By', description: 'The most that the heap may grow to.' },
  'v8js.memory.heap.used': { unit: 'By', description: 'The memory that objects take.' },
} as const satisfies Readonly<Record<string, MetricFacts>>;

/** The readings of a pool of connections to a database, with their metrics. */
export const poolMetrics = {
  connections: { ofMetric: 'db.client.connection.max' },
  inUse: { metric: 'db.client.connection.count', attributes: { 'db.client.connection.state': 'used' } },
  idle: { metric: 'db.client.connection.count', attributes: { 'db.client.connection.state': 'idle' } },
  waiting: { metric: 'db.client.connection.pending_requests' },
} as const;
