import { ServerUnderTest } from '../http/server-under-test.ts';
import type { BenchContext } from '../suite.ts';

const module = new URL('beans-server.mjs', import.meta.url);

/** The service with so many beans beside its own, named `bean0` and so on, each of so many bytes of JSON. */
export function startWithBeans(
  { count, bytes }: { readonly count: number; readonly bytes: number },
  context: BenchContext,
  nodeFlags: readonly string[] = [],
): Promise<ServerUnderTest> {
  const environment = {
    JIG_BEAN_INSPECTION_ENABLED: 'true',
    BENCH_BEANS: String(count),
    BENCH_BEAN_BYTES: String(bytes),
  };
  return ServerUnderTest.startService(context, { module, environment, nodeFlags });
}
