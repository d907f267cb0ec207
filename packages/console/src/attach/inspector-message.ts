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
