/** For the end of what looks at a file or removes it: one that is not there is no failure. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
