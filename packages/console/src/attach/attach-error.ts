/** Why Jig is not in a process, and what to do, in a sentence or two. */
export class AttachError extends Error {}

/** A process has that long to open its inspector, and then to start the agent. */
export const patienceMs = 4500;

export const blocked = (pid: number, rest: string) =>
  new AttachError(`The event loop of process ${pid} has been blocked for ${patienceMs / 1000} s. ${rest}`);
