/** `Runtime.queryObjects` stops a process for about 10 ms per MB of its heap, each of the three times that it is asked. */
export const heapStopSeconds = (memory: number) => Math.max(0.1, Math.round((memory / 1e6) * 0.3) / 10);
