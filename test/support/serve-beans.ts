import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BeanInspectionOptions, beanInspection, type Inspectable } from '@jig/bean-inspection';

export interface ServedBeans {
  /** The origin, without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves on a free port of the loopback. */
export async function serve(listener: RequestListener): Promise<ServedBeans> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Serves beans without a framework, in this process, so that a test can change them. */
export function serveBeans(source: Inspectable, options: BeanInspectionOptions = {}): Promise<ServedBeans> {
  const handler = beanInspection(source, { enabled: true, onReady: () => {}, ...options });
  return serve((request, response) => {
    handler(request, response).then(
      (isAnswered) => isAnswered || response.writeHead(404).end(),
      () => response.destroy(),
    );
  });
}
