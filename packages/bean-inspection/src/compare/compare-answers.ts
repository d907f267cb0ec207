import { siteOf } from '../browser/browser-answers.ts';
import { pageAnswer } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, bytes, json, redirect } from '../http/answer.ts';
import type { comparisonParameters, ParameterValues, patchParameters, snapshotParameters } from '../http/parameters.ts';
import { BeanProblem, notFound } from '../http/problem.ts';
import { type CompareView, comparePage } from './compare-page.ts';
import { type Comparison, comparisonPatch, SnapshotError } from './snapshots.ts';
import type { Difference } from './table.ts';

/** The snapshots, or what differs, as a page or as JSON. */
export async function compareAnswer(call: Call, view: ParameterValues<typeof comparisonParameters>): Promise<Answer> {
  const { snapshots } = call.mount;
  const isPage = call.form === 'html';
  // A page without parameters compares with the newest; a program says what it wants.
  const from = view.from ?? (isPage ? snapshots.list[0]?.id : undefined);
  const { signal } = call.request.raw;
  const comparison = from === undefined ? undefined : await orProblem(snapshots.compare({ ...view, from, signal }));
  if (isPage)
    return pageAnswer(comparePage(siteOf(call), { snapshots: snapshots.list, view: { ...view, from }, comparison }));
  if (comparison === undefined) return json({ snapshots: snapshots.list });
  const { from: snapshot, to, compared } = comparison;
  return json({ from: snapshot, to, compared, beans: shownBeans(comparison, view) });
}

/** What differs, as JSON Patch. */
export async function patchAnswer(
  { mount, request }: Call,
  { from = '', to, bean }: ParameterValues<typeof patchParameters>,
): Promise<Answer> {
  const comparison = await orProblem(mount.snapshots.compare({ from, to, bean, signal: request.raw.signal }));
  return bytes(JSON.stringify(comparisonPatch(comparison)), 'application/json-patch+json');
}

/** Keeps a snapshot. */
export async function keepAnswer(
  { mount, request, form }: Call,
  options: ParameterValues<typeof snapshotParameters>,
): Promise<Answer> {
  const summary = await orProblem(mount.snapshots.keep({ ...options, signal: request.raw.signal }));
  const location = `${request.prefix}/compare?from=${summary.id}`;
  return form === 'html' ? redirect(location) : json(summary, { status: 201, headers: { location } });
}

function shownBeans({ beans }: Comparison, { kind, always }: CompareView): readonly object[] {
  const isShown = (each: Difference & { readonly alwaysMoves: boolean }) =>
    (always || !each.alwaysMoves) && (kind === undefined || each.kind === kind);
  return beans
    .map(({ whole, ...bean }) => ({
      ...bean,
      differences: bean.differences.filter(isShown),
      ...(whole === undefined ? {} : { isCut: true }),
    }))
    .filter(({ differences, typeBefore }) => differences.length > 0 || typeBefore !== undefined);
}

async function orProblem<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    if (error.reason === 'too-large') throw new BeanProblem(413, error.message);
    // Nobody is there to read it.
    if (error.reason === 'aborted') throw new BeanProblem(400, error.message);
    throw notFound(error.message.replace(/^There/, 'there').replace(/\.$/, ''));
  }
}
