import type { ClientRequest, IncomingMessage } from 'node:http';

/** A POST to `/hold/<pid>` makes that process one more holder of the agent; a POST to `/stop` stops the agent. Beans have other paths. */
export const holdPath = '/hold/';
export const stopPath = '/stop';

export const isPostTo = ({ method, url }: Pick<IncomingMessage, 'method' | 'url'>, path: string) =>
  method === 'POST' && url?.startsWith(path) === true;

export const post = (socketPath: string, path: string, signal?: AbortSignal): ClientRequest =>
  process.getBuiltinModule('node:http').request({ socketPath, path, method: 'POST', agent: false, signal }).end();

/**
 * The message of the inspector protocol that calls a function with arguments: V8 keeps evaluated code forever, but not arguments. Context 1
 * is the main context of a thread. Other characters than ASCII are escaped, since Node 20 garbles them on their way to a worker thread.
 */
export const callMessage = (code: string, values: readonly unknown[]) =>
  JSON.stringify({
    id: 1,
    method: 'Runtime.callFunctionOn',
    params: { functionDeclaration: code, executionContextId: 1, arguments: values.map((value) => ({ value })) },
  }).replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
