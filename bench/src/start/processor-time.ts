import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the system tells from outside what a process has used, as Linux does. */
export const canTellProcessorTime = existsSync('/proc/self/schedstat');

/** The time in ms that a process has spent on processors, all its threads together, told without a word from the process itself. */
export function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    const [running = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(running);
  });
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}
