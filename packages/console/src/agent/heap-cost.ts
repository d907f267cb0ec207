/** `Runtime.queryObjects` stops a process for about 10 ms per MB of its heap. */
export const heapStopSeconds = (memory: number) => Math.max(0.1, Math.round((memory / 1e6) * 0.1) / 10);

/** Up to that many bytes, `jig run` searches the heap without being asked. */
export const smallHeap = 40e6;

/** The bytes of the heap that matter for the time of a search: large strings and arrays cost little, and new objects are mostly garbage. */
export const searchedHeap = () =>
  process
    .getBuiltinModule('node:v8')
    .getHeapSpaceStatistics()
    .find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
