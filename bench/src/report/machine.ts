import { cpus, release, totalmem, type } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
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
    versions: { node, v8, icu, openssl },
  };
}
