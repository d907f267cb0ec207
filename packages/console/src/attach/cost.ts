/** `Runtime.queryObjects` stops a process for about 10 ms per MB of its heap. */
export const heapStopSeconds = (memory: number) => Math.max(0.1, Math.round((memory / 1e6) * 0.1) / 10);
