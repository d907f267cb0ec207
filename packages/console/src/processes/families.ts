import { byName, type NodeProcess } from './node-processes.ts';

/** A process with the workers of its cluster. */
export interface Family {
  readonly process: NodeProcess;
  readonly workers: readonly NodeProcess[];
}

/** Families by whether Jig is in them or can be attached. */
export interface GroupedProcesses {
  readonly withJig: readonly Family[];
  readonly attachable: readonly Family[];
  readonly notAttachable: readonly Family[];
  /** How many processes of editors and tools such as npm were left out. */
  readonly tools: number;
}

export function groupProcesses(all: readonly NodeProcess[]): GroupedProcesses {
  const shown = all.filter(({ isTool }) => !isTool);
  const pids = new Set(shown.map(({ pid }) => pid));
  // Only workers of a cluster have a label.
  const isWorkerOfShown = ({ label, parentPid }: NodeProcess) => label !== undefined && pids.has(parentPid);
  const families = shown
    .filter((each) => !isWorkerOfShown(each))
    .map((process) => {
      const workers = shown
        .filter((each) => isWorkerOfShown(each) && each.parentPid === process.pid)
        .sort((one, other) => one.startedAt - other.startedAt || one.pid - other.pid);
      // Jig knows the name of the application, and is often only in the workers.
      const processWithJig = [process, ...workers].find(({ instances }) => instances.length > 0);
      return { process: { ...process, name: processWithJig?.name ?? process.name }, workers };
    })
    .sort((one, other) => byName(one.process, other.process));
  const hasJig = ({ process, workers }: Family) => [process, ...workers].some(({ instances }) => instances.length > 0);
  const withoutJig = families.filter((family) => !hasJig(family));
  return {
    withJig: families.filter(hasJig),
    attachable: withoutJig.filter(({ process: { obstacle } }) => obstacle === undefined),
    notAttachable: withoutJig.filter(({ process: { obstacle } }) => obstacle !== undefined),
    tools: all.length - shown.length,
  };
}
