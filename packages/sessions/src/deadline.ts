/** A deadline has so many parts, and a stall of this process, which is nobody else's fault, counts as one of them. */
const parts = 5;

/**
 * Calls back after so many milliseconds in which this process ran; answers that are there already come first.
 * Returns what ends it, and says whether it was in time.
 */
export function startDeadline(milliseconds: number, onLate: () => void): () => boolean {
  let left = parts;
  let isLate = false;
  let immediate: NodeJS.Immediate | undefined;
  const expire = () => {
    isLate = true;
    onLate();
  };
  const timer = setTimeout(
    () => {
      left -= 1;
      if (left > 0) timer.refresh();
      else immediate = setImmediate(expire);
    },
    Math.ceil(milliseconds / parts),
  ).unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
    return !isLate;
  };
}
