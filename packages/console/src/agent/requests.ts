import type { ClientRequest, IncomingMessage } from 'node:http';

/** By a POST to them, outside of all addresses of beans, an agent is for one more process, whose id follows, or leaves its own. */
export const holdPath = '/hold/';
export const stopPath = '/stop';

export const isPostTo = ({ method, url }: Pick<IncomingMessage, 'method' | 'url'>, path: string) =>
  method === 'POST' && url?.startsWith(path) === true;

export const post = (socketPath: string, path: string, signal?: AbortSignal): ClientRequest =>
  process.getBuiltinModule('node:http').request({ socketPath, path, method: 'POST', agent: false, signal }).end();

/**
 * The message of the inspector protocol that calls a function with values: V8 keeps the text of code for good, but not values. The main
 * context of a thread is its first. In letters of ASCII only, since Node 20 garbles others on their way to a worker thread.
 */
export const callMessage = (code: string, values: readonly unknown[]) =>
  JSON.stringify({
    id: 1,
    method: 'Runtime.callFunctionOn',
    params: { functionDeclaration: code, executionContextId: 1, arguments: values.map((value) => ({ value })) },
  }).replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
