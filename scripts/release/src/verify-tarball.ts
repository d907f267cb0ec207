import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** One sentence for each thing that users of a tarball would stumble over: by publint and by arethetypeswrong. */
export async function tarballProblems(tarball: string): Promise<readonly string[]> {
  const bytes = await readFile(tarball);
  return [...(await packagingProblems(bytes)), ...(await typeProblems(bytes))];
}

/** Suggestions count too: what is published cannot be improved afterwards. */
async function packagingProblems(bytes: Buffer): Promise<readonly string[]> {
  const tarball = new Uint8Array(bytes).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

interface Manifest {
  readonly main?: string;
}

/** How TypeScript finds types; `node10` is left out, since it knows no `exports` and Node 20 is the oldest that is supported. */
const resolutions = ['node16-cjs', 'node16-esm', 'bundler'] as const;

async function typeProblems(bytes: Buffer): Promise<readonly string[]> {
  const contents = createPackageFromTarballData(bytes);
  const analysis = await checkPackage(contents);
  if (analysis.types === false) return ['arethetypeswrong: the package has no types'];
  const { main } = JSON.parse(contents.readFile(`/node_modules/${contents.packageName}/package.json`)) as Manifest;
  const matters = (problem: Problem) =>
    // Every supported Node lets CommonJS require an ES module.
    problem.kind !== 'CJSResolvesToESM' &&
    resolutions.some((kind) => problemAffectsResolutionKind(problem, kind, analysis));
  return (
    analysis.problems
      // A package that has a `main` promises more: it is for CommonJS, and for the old resolution too.
      .filter((problem) => main !== undefined || matters(problem))
      .map(({ kind, ...details }) => `arethetypeswrong: ${kind} ${JSON.stringify(details)}`)
  );
}
