/** The message of the inspector protocol that calls a function with values. The main context of a thread is its first. */
export const callMessage = (code: string, values: readonly unknown[]) =>
  JSON.stringify({
    id: 1,
    method: 'Runtime.callFunctionOn',
    params: { functionDeclaration: code, executionContextId: 1, arguments: values.map((value) => ({ value })) },
  });
