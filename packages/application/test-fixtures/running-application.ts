import type { Feature } from '@jig/application';
import { startForTest, type TestApplication } from '@jig/application/testing';

export type RunningApplication = TestApplication;

/** Starts an application of these features in this process, on a free port of the loopback, in development mode. */
export function startApplication(
  features: readonly Feature[],
  flags: readonly string[] = [],
  logLevel = 'silent',
): Promise<RunningApplication> {
  const settings: Record<string, Record<string, string>> = { application: { environment: 'development' } };
  for (const flag of [...flags, `--log.level=${logLevel}`]) {
    const [, section = '', key = '', value = ''] = /^--(\w+)\.(\w+)=(.*)$/.exec(flag) ?? [];
    settings[section] = { ...settings[section], [key]: value };
  }
  return startForTest({ features, settings, listen: true, logDestination: { write: () => {} } });
}
