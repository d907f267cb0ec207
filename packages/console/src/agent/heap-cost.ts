/** How long `Runtime.queryObjects` stops a process: 14 to 25 ms of CPU for each MB of old space, on Node 20 to 26. */
export const heapStopSeconds = (oldSpace: number) => Math.max(0.1, Math.round((oldSpace / 1e6) * 0.25) / 10);

/** How much old space a process has at most, by the memory that the system knows of: Node itself takes 45 MB, and a quarter is room for new objects. */
export const oldSpaceOf = (memory: number) => Math.max(0, memory - 45e6) * 0.75;

/** Up to that many bytes, `jig run` searches the heap without being asked. */
export const smallHeap = 40e6;

/** The bytes of the heap that matter for the time of a search: large strings and arrays cost little, and new objects are mostly garbage. */
export const searchedHeap = () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
