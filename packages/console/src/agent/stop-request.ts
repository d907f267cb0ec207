import type { IncomingMessage } from 'node:http';

/** By a POST to it, outside of all addresses of beans, `jig detach` makes Jig leave a process. */
export const stopPath = '/stop';

export const isStopRequest = ({ method, url }: Pick<IncomingMessage, 'method' | 'url'>) =>
  method === 'POST' && url === stopPath;
