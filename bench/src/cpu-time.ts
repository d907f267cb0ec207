import { runInThisContext } from 'node:vm';
import type { BenchContext, Contender } from './suite.ts';

/** The CPU time, in µs, that a piece of work takes in this process, garbage collection and compilation included. */
export function cpuTime(work: () => unknown, { quick }: BenchContext): Contender {
  const least = quick ? 40_000 : 150_000;
  const repeat = loopOfItsOwn();
  let batch = 1;
  return {
    async sample() {
      const start = process.cpuUsage();
      let done = 0;
      for (;;) {
        await repeat(work, batch);
        done += batch;
        const spent = microseconds(process.cpuUsage(start));
        if (spent >= least) return spent / done;
        // Asking for the time is a system call: it must stay rare beside the work.
        if (spent < least / 10) batch *= 2;
      }
    },
  };
}

export function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

type Loop = (work: () => unknown, turns: number) => Promise<void>;

/** Made anew each time, since V8 optimizes one loop for one piece of work, and whoever came second would pay for it. */
function loopOfItsOwn(): Loop {
  return runInThisContext(`(async (work, turns) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const outcome = work();
      if (outcome instanceof Promise) await outcome;
    }
  })`) as Loop;
}
