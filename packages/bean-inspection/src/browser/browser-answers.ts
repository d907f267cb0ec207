import { pathOf, preferredEncoding } from '@jig/http';
import type { Outline, OutlineEntry, OutlineOptions } from '@jig/inspect';
import type { ListedBean } from '../beans/bean-index.ts';
import { findBeans } from '../beans/bean-search.ts';
import type { BytesAnswer, PageAnswer, RedirectAnswer, ResourceCall, StreamAnswer } from '../beans/resource.ts';
import { isPrefix, withoutOrigin } from '../http/address.ts';
import { startPageHeader } from '../http/instance-headers.ts';
import { BeanProblem } from '../http/problem.ts';
import { allInstances, queryOf } from '../http/query-parameters.ts';
import { sorted } from '../instances/instance.ts';
import { streamsOf } from '../live/live-streams.ts';
import { browserAsset } from './assets.ts';
import { beanLink } from './bean-links.ts';
import { beanOutline, valueOutline } from './bean-outline.ts';
import { absentPage, beanPage, type DescribedBean, mostRows } from './bean-page.ts';
import type { Html } from './html.ts';
import { listPage, parseListView } from './list-page.ts';
import { liveRows } from './live-rows.ts';
import { type InstanceChoice, pagePolicy, type Site } from './page.ts';
import { isHitKind, searchPage } from './search-page.ts';
import { openPointers, unfolding } from './tree-order.ts';
import { pageLength, rowsBelow, type TreeRow, treeRow, treeRows } from './tree-rows.ts';
import { depthBelow, levelCount, parseTreeView, type TreeView } from './tree-view.ts';
import { sparksByBean, watchOf } from './watch/bean-watch.ts';

/** Where the pages of a request are, and who answers it. */
export function siteOf<Context>(call: ResourceCall<Context>): Site {
  const { controller, request, instances, others } = call;
  const { prefix, isFromUser = false, raw } = request;
  const { startPage: own, application } = controller.site;
  const { [startPageHeader]: given } = raw.headers;
  const startPage = isFromUser && typeof given === 'string' && isPrefix(given) ? given : own;
  const choice = others.length === 0 ? undefined : instanceChoice(call);
  return { prefix, startPage, application, here: instances.here, instances: choice };
}

/** The same page of other instances; what answers a POST is no page of theirs. */
function instanceChoice<Context>({ request, address, instances, others }: ResourceCall<Context>): InstanceChoice {
  const { raw, prefix, url } = request;
  const path = raw.method === 'POST' ? `${prefix}/bean` : pathOf(withoutOrigin(url));
  const link = (instance: string) => {
    const query = queryOf(raw.method === 'POST' ? '' : url);
    query.set('instance', instance);
    return `${path}?${query}`;
  };
  const all = sorted([instances.self, ...others]).map((each) => ({ ...each, link: link(each.id) }));
  const isBean = address.kind === 'entry' && address.name === 'bean' && raw.method !== 'POST';
  const isShown = queryOf(url).get('instance') === allInstances;
  return { all, together: isBean ? { link: link(allInstances), isShown } : undefined };
}

const asPage = (page: string, others: Omit<PageAnswer, 'page' | 'policy'> = {}): PageAnswer => ({
  page,
  policy: pagePolicy,
  ...others,
});

/** The list of beans. What is typed is not masked: that would tell whether it is a secret. */
export async function listAnswer<Context>(call: ResourceCall<Context>): Promise<PageAnswer> {
  const { controller, request } = call;
  const { beans } = await controller.list(request);
  const hasFound = beans.some(({ found }) => found !== undefined);
  const view = parseListView(request.url, hasFound);
  return asPage(listPage(siteOf(call), beans, view, sparksByBean(controller), controller.site.note?.()));
}

/** Where a text is. */
export async function searchAnswer<Context>(call: ResourceCall<Context>, text: string): Promise<PageAnswer> {
  const { controller, request } = call;
  const start = performance.now();
  const { beans, isComplete, unsearched } = await findBeans(controller, request, text);
  const milliseconds = performance.now() - start;
  const only = queryOf(request.url).get('in');
  const isThere = new Set(
    controller.describe(request).flatMap(({ name, instantiated }) => (instantiated ? [name] : [])),
  );
  const content = {
    text,
    only: isHitKind(only) ? only : undefined,
    beans,
    isComplete,
    unsearched: unsearched.filter((name) => isThere.has(name)),
    milliseconds,
  };
  return asPage(searchPage(siteOf(call), content));
}

/** What to open of a bean. */
const outlineOptions = (view: TreeView): OutlineOptions => ({
  at: view.at,
  levels: levelCount(view),
  open: view.open,
  // By `auto`, what is closed counts as well, so that nothing else opens in its place.
  ...(view.levels === 'auto' ? { unfold: unfolding() } : { close: view.close }),
  pages: view.pages,
  limit: pageLength,
  rows: mostRows,
});

/** The same for a whole page, with what a view tells. */
const pageOptions = (view: TreeView): OutlineOptions => ({ ...outlineOptions(view), glance: true });

/** The page of a bean, or only the rows of one container in it, which the script asks for. */
export async function beanAnswer<Context>(
  call: ResourceCall<Context>,
  picture: Picture,
): Promise<PageAnswer | BytesAnswer> {
  const { controller, request, address, form } = call;
  const query = queryOf(request.url);
  const view = parseTreeView(controller.shownName(address.entry), request.url);
  const rows = query.get('rows');
  if (rows !== null) return rowsAnswer(call, view, rows);
  if (!controller.canLook(view.name, form, request))
    return asPage(absentPage(siteOf(call), describedBean(call, view.name, picture)), { status: 409 });
  const before = controller.describe(request).find(({ name }) => name === view.name);
  const start = performance.now();
  const outline = await beanOutline(controller, view.name, request, pageOptions(view), form);
  const milliseconds = performance.now() - start;
  const described = describedBean(call, view.name, picture);
  const isLive = query.has('live');
  const page = beanPage(siteOf(call), {
    ...described,
    view,
    watch: watchOf(controller, view.name),
    look: {
      outline,
      moment: new Date(),
      milliseconds,
      hasCreated: before?.instantiated === false && described.bean.instantiated === true,
      isShortened: isShortened(outline, view),
    },
    isLive,
  });
  return asPage(page, isLive ? { headers: { refresh: '2' } } : {});
}

/** Draws what a bean needs and what needs it. */
type Picture = (bean: ListedBean, beans: readonly ListedBean[]) => Html | undefined;

/** What is known of a bean without looking at it. */
function describedBean<Context>(call: ResourceCall<Context>, name: string, picture: Picture): DescribedBean {
  const { controller, request, form } = call;
  const beans = controller.describe(request);
  const bean = beans.find((each) => each.name === name);
  if (bean === undefined) throw controller.notFound(request, form);
  return { bean, beans: new Map(beans.map((each) => [each.name, each])), picture: picture(bean, beans) };
}

/** Creates a bean. Its page shows it, or the answer itself where a later look would find none. */
export async function createdAnswer<Context>(
  call: ResourceCall<Context>,
  name: string,
  picture: Picture,
): Promise<PageAnswer | RedirectAnswer> {
  const { controller, request, form } = call;
  const view = { ...parseTreeView(controller.shownName(name), request.url), levels: 'all' as const };
  const start = performance.now();
  const { value } = await controller.valueOf(name, form, request, 'look');
  if (controller.canLook(name, form, request)) return { redirect: beanLink(request.prefix, view.name, 'html') };
  const outline = valueOutline(controller, value, request, pageOptions(view), form);
  const milliseconds = performance.now() - start;
  const look = { outline, moment: new Date(), milliseconds, hasCreated: true, isShortened: isShortened(outline, view) };
  const described = describedBean(call, view.name, picture);
  const content = { ...described, view, look, isLive: false, isForOnce: true };
  return asPage(beanPage(siteOf(call), content), { status: 201 });
}

/** The rows of the page as they change. */
export async function beanStream<Context>(call: ResourceCall<Context>): Promise<StreamAnswer> {
  const { controller, request, address, form } = call;
  const { prefix } = request;
  const view = parseTreeView(controller.shownName(address.entry), request.url);
  const watched = await controller.watched(view.name, form, request);
  // What opens by itself at first stays open, and nothing else opens while values move.
  let open: readonly string[] | undefined;
  const look = () => {
    const kept =
      open === undefined || view.levels !== 'auto' ? {} : { open: [...view.open, ...open], unfold: undefined };
    const options = { ...pageOptions(view), ...kept };
    const outline = valueOutline(controller, watched.value(), request, options, form);
    open ??= openPointers(outline);
    return outline;
  };
  const context = () => ({ prefix, view, watch: watchOf(controller, view.name) });
  const live = liveRows(JSON.stringify(['html', watched.key, prefix, view]), context, look);
  return { stream: await streamsOf(controller).watch(live, form) };
}

async function rowsAnswer<Context>(call: ResourceCall<Context>, view: TreeView, at: string): Promise<BytesAnswer> {
  const { controller, request, form } = call;
  const options = outlineOptions(view);
  const all = treeRows(await beanOutline(controller, view.name, request, options, form), view);
  const rows = at === view.at ? all : (rowsBelow(all, at) ?? (await rowsBesides(call, view, at)));
  const context = { prefix: request.prefix, view, watch: watchOf(controller, view.name) };
  return {
    bytes: rows.map((row) => treeRow(row, context).toString()).join(''),
    mediaType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': pagePolicy },
  };
}

/** The rows of a container that stays closed, since the page has too many. */
async function rowsBesides<Context>(call: ResourceCall<Context>, view: TreeView, at: string): Promise<TreeRow[]> {
  const { controller, request, form } = call;
  const options = { ...outlineOptions(view), at, levels: 1, unfold: undefined };
  const outline = await beanOutline(controller, view.name, request, options, form);
  return treeRows(outline, view, depthBelow(view.at, at) + 1);
}

/** Whether something that should be open is closed, since the rows were used up. */
function isShortened({ entries }: Outline, view: TreeView): boolean {
  return entries.some(
    (entry) => isLeftClosed(entry, view) || (entry.entries !== undefined && isShortened(entry.entries, view)),
  );
}

const isLeftClosed = ({ pointer, canOpen, kind, entries }: OutlineEntry, view: TreeView) =>
  canOpen &&
  kind !== 'limit' &&
  entries === undefined &&
  depthBelow(view.at, pointer) < levelCount(view) &&
  !view.close.includes(pointer);

/** The style sheet and the script of the pages. */
export function assetAnswer<Context>({ controller, request, address, form }: ResourceCall<Context>): BytesAnswer {
  const encoding = preferredEncoding(request.raw.headers['accept-encoding']?.toString(), ['br', 'gzip']);
  const asset = browserAsset(`${address.entry}.${address.extension ?? ''}`, encoding);
  if (asset === undefined) throw controller.notFound(request, form, 'there is no such file');
  if (encoding === undefined) throw new BeanProblem(406, 'This comes as br, gzip or identity.', { form });
  const { body, mediaType, headers } = asset;
  return { bytes: body, mediaType, headers };
}
