import { cpus, loadavg, release, totalmem, type } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  /** How many others wanted a processor while the bench began. */
  readonly load: number;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/** What the numbers depend on, and nothing that tells whose machine it is. */
export function describeMachine(): Machine {
  const processors = cpus();
  const { node, v8, icu, openssl } = process.versions;
  return {
    processor: `${processors[0]?.model.trim() || 'unknown'} (${process.arch})`,
    cores: processors.length,
    memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
    system: `${type()} ${release().split('-')[0]}`,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    versions: { node, v8, icu, openssl },
  };
}
