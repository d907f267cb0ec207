import { siteOf } from '../browser/browser-answers.ts';
import { pageAnswer } from '../browser/page.ts';
import type { Call } from '../handle.ts';
import { type Answer, json, redirect, wholeAnswer } from '../http/answer.ts';
import type { comparisonParameters, ParameterValues, patchParameters, snapshotParameters } from '../http/parameters.ts';
import { shownBeans, snapshotsPage } from './compare-page.ts';
import { comparisonPatch } from './snapshots.ts';
import { kindOf } from './table.ts';

/** The snapshots, or what differs, as a page or as JSON. */
export async function compareAnswer(call: Call, view: ParameterValues<typeof comparisonParameters>): Promise<Answer> {
  const { snapshots } = call.mount;
  const isPage = call.form === 'html';
  // A page without parameters compares with the newest; a program says what it wants.
  const from = view.from ?? (isPage ? snapshots.list[0]?.id : undefined);
  const { signal } = call.request.raw;
  const comparison = from === undefined ? undefined : await snapshots.compare({ ...view, from, signal });
  if (isPage) return pageAnswer(snapshotsPage(siteOf(call), snapshots.list, { ...view, from }, comparison));
  if (comparison === undefined) return json({ snapshots: snapshots.list });
  const beans = shownBeans(comparison, view).map(({ rows, whole, ...bean }) => ({
    ...bean,
    differences: rows.map((row) => {
      const { pointer, alwaysMoves, values } = row;
      return { kind: kindOf(row), pointer, before: values[0], now: values[1], alwaysMoves };
    }),
    isCut: whole === undefined ? undefined : true,
  }));
  return json({ from: comparison.from, to: comparison.to, compared: comparison.compared, beans });
}

/** What differs, as JSON Patch. */
export async function patchAnswer(
  { mount, request }: Call,
  { from, to, bean }: ParameterValues<typeof patchParameters>,
): Promise<Answer> {
  const comparison = await mount.snapshots.compare({ from, to, bean, signal: request.raw.signal });
  return wholeAnswer(JSON.stringify(comparisonPatch(comparison)), 'application/json-patch+json');
}

export async function keepAnswer(
  { mount, request, form }: Call,
  options: ParameterValues<typeof snapshotParameters>,
): Promise<Answer> {
  const summary = await mount.snapshots.keep({ ...options, signal: request.raw.signal });
  const location = `${request.prefix}/compare?from=${summary.id}`;
  return form === 'html' ? redirect(location) : json(summary, { status: 201, headers: { location } });
}
