import { errorMessage } from './errors.ts';

const known: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user has no access to it',
};

/** What an error of the file system says, for use inside a sentence: without the path, which these errors repeat. */
export function fileProblem(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return known[code] ?? errorMessage(error).replace(/,.*/s, '');
}
