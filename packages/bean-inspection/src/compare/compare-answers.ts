import type { BeanController } from '../beans/bean-controller.ts';
import type { Answer, ResourceCall } from '../beans/resource.ts';
import { siteOf } from '../browser/browser-answers.ts';
import { pagePolicy } from '../browser/page.ts';
import { BeanProblem, type ProblemForm } from '../http/problem.ts';
import { comparisonParameters, parseQuery, patchParameters } from '../http/query-parameters.ts';
import { readFields } from '../http/request-body.ts';
import { localSnapshot, snapshotId } from '../instances/identity.ts';
import { type CompareView, comparePage } from './compare-page.ts';
import { type Difference, differenceJson } from './differences.ts';
import {
  type Comparison,
  comparisonPatch,
  type KeepOptions,
  SnapshotError,
  type SnapshotSummary,
  snapshotLimits,
  snapshotsOf,
} from './snapshots.ts';

/** POST keeps a snapshot; GET shows what differs, as a page or as JSON. */
export const compareAnswer = <Context>(call: ResourceCall<Context>) =>
  orProblem(call, () => (call.request.raw.method === 'POST' ? keep(call) : show(call)));

/** What differs, as JSON Patch. */
export const patchAnswer = <Context>(call: ResourceCall<Context>) => orProblem(call, () => patch(call));

async function orProblem<Context>(call: ResourceCall<Context>, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    throw error instanceof SnapshotError ? snapshotProblem(call, error) : error;
  }
}

function snapshotProblem<Context>({ controller, request, form }: ResourceCall<Context>, error: SnapshotError) {
  if (error.reason === 'too-large') return new BeanProblem(413, error.message, { form });
  // Nobody is there to read it.
  if (error.reason === 'aborted') return new BeanProblem(400, error.message, { form });
  return controller.notFound(request, form, error.message.replace(/^There/, 'there').replace(/\.$/, ''));
}

async function patch<Context>({ controller, request, form }: ResourceCall<Context>): Promise<Answer> {
  const { from = '', to, bean } = parseQuery(request.url, patchParameters, controller.limits, form);
  const wanted = { from: localSnapshot(from), to: to && localSnapshot(to), bean: shownBean(controller, bean) };
  const comparison = await request.raw.untilLeft((signal) => snapshotsOf(controller).compare({ ...wanted, signal }));
  return { bytes: comparisonPatch(comparison), mediaType: 'application/json-patch+json' };
}

const shownBean = <Context>(controller: BeanController<Context>, name: string | undefined) =>
  name === undefined ? undefined : controller.shownName(name);

async function show<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address, form } = call;
  const snapshots = snapshotsOf(controller);
  const query = parseQuery(request.url, comparisonParameters, controller.limits, form);
  const [given, to] = [query.from, query.to].map((id) => id && localSnapshot(id));
  const view = { ...query, from: given, to, bean: shownBean(controller, query.bean) };
  const isPage = address.extension === undefined && form === 'html';
  // A page without parameters compares with the newest; a program says what it wants.
  const from = view.from ?? (isPage ? snapshots.list[0]?.id : undefined);
  const comparison =
    from === undefined
      ? undefined
      : await request.raw.untilLeft((signal) => snapshots.compare({ ...view, from, signal }));
  if (isPage) {
    const shown = { ...view, from };
    return {
      page: comparePage(siteOf(call), { snapshots: snapshots.list, view: shown, comparison }),
      policy: pagePolicy,
    };
  }
  const bytes =
    comparison === undefined
      ? JSON.stringify({ snapshots: snapshots.list.map((each) => named(call, each)) })
      : toJson(comparison, view);
  return { bytes, mediaType: 'application/json' };
}

/** Written piece by piece, since values are JSON already. */
function toJson({ from, to, compared, beans }: Comparison, { kind, always }: CompareView): string {
  const isShown = (each: Difference & { readonly alwaysMoves: boolean }) =>
    (always || !each.alwaysMoves) && (kind === undefined || each.kind === kind);
  const shown = beans.flatMap(({ differences, ...bean }) => {
    const rows = differences
      .filter(isShown)
      .map(({ kind: what, pointer, alwaysMoves, ...values }) =>
        differenceJson({ kind: what, pointer, alwaysMoves }, values),
      );
    if (rows.length === 0 && bean.typeBefore === undefined) return [];
    return [withField(bean, 'differences', rows)];
  });
  return withField({ from, to, compared }, 'beans', shown);
}

/** An object as JSON, with a list at its end whose items are JSON already. */
const withField = (object: object, name: string, items: readonly string[]) =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":[${items.join(',')}]}`;

async function keep<Context>(call: ResourceCall<Context>): Promise<Answer> {
  const { controller, request, address, form } = call;
  const options = parseKeep(await readFields(request, form), form);
  const bean = shownBean(controller, options.bean);
  const summary = await request.raw.untilLeft((signal) => snapshotsOf(controller).keep({ ...options, bean, signal }));
  const location = `${request.prefix}/compare?from=${summary.id}`;
  if (address.extension === undefined && form === 'html') return { redirect: location };
  const bytes = JSON.stringify(named(call, summary));
  return { bytes, mediaType: 'application/json', status: 201, headers: { location } };
}

/** With an id that leads to this instance, whichever is asked. */
const named = <Context>({ instances, others }: ResourceCall<Context>, summary: SnapshotSummary): SnapshotSummary =>
  others.length === 0 ? summary : { ...summary, id: snapshotId(summary.id, instances.here) };

function parseKeep(fields: URLSearchParams, form: ProblemForm): KeepOptions {
  const text = (name: string) => fields.get(name) || undefined;
  const name = text('name');
  if (name !== undefined && name.length > snapshotLimits.name)
    throw new BeanProblem(400, `name may have ${snapshotLimits.name} characters.`, { form });
  const wait = text('wait');
  if (wait !== undefined && (!/^\d{1,4}$/.test(wait) || Number(wait) > snapshotLimits.longestWait))
    throw new BeanProblem(400, `wait must be a whole number of milliseconds from 0 to ${snapshotLimits.longestWait}.`, {
      form,
    });
  return { name, bean: text('bean'), wait: wait === undefined ? undefined : Number(wait) };
}
