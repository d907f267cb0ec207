import type { OutlineOptions } from '@jig/inspect';
import { listBeans, listWithLines } from '../beans/bean-list.ts';
import { findBeans } from '../beans/bean-search.ts';
import type { Call } from '../handle.ts';
import { allInstances, withInstance } from '../http/address.ts';
import { type Answer, events, json, redirect } from '../http/answer.ts';
import { queryOf } from '../http/parameters.ts';
import { noSuchBean } from '../http/problem.ts';
import { startPageHeader, wantsStream } from '../http/request.ts';
import { type Instance, sortByLabel } from '../instances/instances.ts';
import { isPrefix } from '../options.ts';
import { sparksByBean, watchOf } from '../watch/plot.ts';
import { absentPage, type BeanRead, beanPage, type DescribedBean, maxRows } from './bean-page.ts';
import { html } from './html.ts';
import { beanLink, parseTreeView, type TreeView } from './links.ts';
import { hasAllLines, listPage, parseListView } from './list-page.ts';
import { liveRows } from './live-rows.ts';
import { type InstanceChoice, page, pageAnswer, type Site, timeOf } from './page.ts';
import { searchPage } from './search-page.ts';
import { openByDefault, openPointers, pageLength } from './tree.ts';

/** What all pages of a request need to know of the site. */
export function siteOf(call: Call): Site {
  const { mount, request, others } = call;
  const { prefix, isOverSocket = false, raw } = request;
  mount.recordProcess();
  const { startPage: own, application } = mount.options;
  const { [startPageHeader]: given } = raw.headers;
  const startPage = isOverSocket && typeof given === 'string' && isPrefix(given) ? given : own;
  const choice = others.length === 0 ? undefined : instanceChoice(call);
  return { prefix, startPage, application, here: mount.instances.here, instances: choice };
}

/** Links to the same page of other instances; after a POST, to their lists. */
function instanceChoice({ mount, request, others }: Call): InstanceChoice {
  const { raw, prefix, path, url, instance } = request;
  const query = queryOf(url);
  query.delete('instance');
  const page = raw.method === 'POST' ? 'bean' : path + (query.size === 0 ? '' : `?${query}`);
  const link = (id: string) => `${withInstance(prefix, id)}/${page}`;
  const all = sortByLabel([mount.instances.self, ...others]).map((each) => ({ ...each, link: link(each.id) }));
  const isBean = path.startsWith('bean/') && raw.method !== 'POST';
  const isShown = (instance ?? queryOf(url).get('instance')) === allInstances;
  return { all, together: isBean ? { link: link(allInstances), isShown } : undefined };
}

/** The instances of the application, as a page or as JSON. */
export function instancesAnswer(call: Call): Answer {
  const { mount, others, form } = call;
  const all = sortByLabel([
    mount.instances.self,
    ...others.map(({ socket: _socket, prefix: _prefix, ...published }) => published),
  ]);
  return form === 'html' ? pageAnswer(instancesListPage(siteOf(call), all)) : json(all);
}

/** The list of beans. The filter is not masked, because masking it would reveal whether it is a secret. */
export async function listAnswer(call: Call): Promise<Answer> {
  const { mount, request } = call;
  const { beans, left } = await listWithLines(mount, request.prefix, hasAllLines(request.url));
  const isDiscovered = beans.some(({ found }) => found !== undefined);
  const absent = beans.find(({ instantiated }) => instantiated !== true);
  return pageAnswer(
    listPage(siteOf(call), {
      beans,
      view: parseListView(request.url, isDiscovered),
      linesLeft: left,
      isCreating: absent !== undefined && mount.beans.isShown(absent.name),
      sparks: sparksByBean(mount),
      note: mount.options.note?.(),
    }),
  );
}

/** The beans that contain a text. */
export async function searchAnswer(call: Call, text: string): Promise<Answer> {
  const { mount, request } = call;
  const start = performance.now();
  const { unsearched, ...found } = await findBeans(mount, text, request.raw.signal);
  const milliseconds = performance.now() - start;
  const existing = new Set(mount.beans.describe().flatMap(({ name, instantiated }) => (instantiated ? [name] : [])));
  const left = unsearched.filter((name) => existing.has(name));
  return pageAnswer(searchPage(siteOf(call), { ...found, text, unsearched: left, milliseconds }));
}

/** How many levels `all` opens; most beans reach the limit of rows before that. */
const allLevels = 8;

/** What a page shows of a bean. */
const pageOptions = (view: TreeView): OutlineOptions => ({
  at: view.at,
  levels: view.levels === 'all' ? allLevels : view.levels === 'auto' ? 1 : view.levels,
  open: view.open,
  // With `auto`, closed containers keep their room, so that no others open instead.
  ...(view.levels === 'auto' ? { unfold: openByDefault() } : { close: view.close }),
  pages: view.pages,
  limit: pageLength,
  rows: maxRows,
  glance: true,
});

/** The page of a bean, as it is or as it changes. */
export async function beanPageAnswer(call: Call): Promise<Answer> {
  const { mount, request, name } = call;
  const view = parseTreeView(name, request.url);
  if (wantsStream(request.raw)) return beanStream(call, view);
  const { bean: before } = describedBean(call);
  if (!mount.beans.isShown(name)) return pageAnswer(absentPage(siteOf(call), describedBean(call)), { status: 409 });
  const isLive = queryOf(request.url).has('live');
  const start = performance.now();
  const { value } = await mount.beans.get(name, request);
  const read = readBean(call, view, value, start);
  const described = describedBean(call);
  const wasCreated = before.instantiated === false && described.bean.instantiated === true;
  const content = { ...described, view, watch: watchOf(mount, name), read, isLive, wasCreated };
  return pageAnswer(beanPage(siteOf(call), content), isLive ? { headers: { refresh: '2' } } : {});
}

function readBean({ mount }: Call, view: TreeView, value: unknown, start: number): BeanRead {
  const outline = mount.look.outline(value, pageOptions(view));
  const milliseconds = performance.now() - start;
  return { outline, moment: new Date(), milliseconds };
}

/** What is known of a bean without reading its value. */
function describedBean({ mount, request, name }: Call): DescribedBean {
  const beans = listBeans(mount.beans.describe(), request.prefix);
  const bean = beans.find((each) => each.name === name);
  if (bean === undefined) throw noSuchBean(request);
  return { bean, beans: new Map(beans.map((each) => [each.name, each])) };
}

/** Creates a bean and redirects to its page; a bean that is not kept is shown in the answer itself. */
export async function createdPage(call: Call): Promise<Answer> {
  const { mount, request, name } = call;
  const view = { ...parseTreeView(name, request.url), levels: 'all' as const };
  const start = performance.now();
  const { value } = await mount.beans.get(name, request, 'onRead');
  if (mount.beans.isShown(name)) return redirect(beanLink(request.prefix, name, 'html'));
  const read = readBean(call, view, value, start);
  const content = { ...describedBean(call), view, read, isLive: false, wasCreated: true, isTemporary: true };
  return pageAnswer(beanPage(siteOf(call), content), { status: 201 });
}

/** The rows of the page as they change. */
async function beanStream({ mount, request, name }: Call, view: TreeView): Promise<Answer> {
  const { prefix } = request;
  const bean = await mount.beans.follow(name, request);
  // The containers that are open by default at the first read stay open, and no others open later.
  let open: readonly string[] | undefined;
  const readOutline = () => {
    const kept =
      open === undefined || view.levels !== 'auto' ? {} : { open: [...view.open, ...open], unfold: undefined };
    const outline = mount.look.outline(bean.value(), { ...pageOptions(view), ...kept });
    open ??= openPointers(outline);
    return outline;
  };
  const context = () => ({ prefix, view, watch: watchOf(mount, name) });
  const live = liveRows(JSON.stringify(['html', bean.key, prefix, view]), context, readOutline);
  return events(await mount.streams.watch(live, request.raw));
}

/** The instances of the application, each with a link to its beans. */
function instancesListPage(
  site: Site,
  instances: readonly Pick<Instance, 'id' | 'label' | 'pid' | 'startedAt'>[],
): string {
  const { prefix, here } = site;
  const row = ({ id, label, pid, startedAt }: (typeof instances)[number]) =>
    html`<tr role="row"><th role="rowheader" scope="row"><a href="${withInstance(prefix, id)}/bean"><bdi>${label}</bdi></a>${id === here?.id && html` <span class="soft">this one</span>`}</th><td role="cell"><code>${id}</code></td><td role="cell" class="num">${pid}</td><td role="cell">${timeOf(new Date(startedAt))}</td></tr>
`;
  const heads = ['Instance', 'Id', 'Process', 'Started'].map(
    (name) => html`<th role="columnheader" scope="col">${name}</th>`,
  );
  const main = html`<header class="head"><div><h1>Instances</h1>
<p>${instances.length === 1 ? 'This is the only instance' : `These are the ${instances.length} instances`} of the application on this machine.</p></div>
<p class="row"><span>This list as</span> <a href="${prefix}/instances.json">JSON</a></p></header>
<section class="card" aria-label="Instances"><table role="table" class="grouped"><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">
${instances.map(row)}</tbody></table></section>`;
  return page(site, { title: 'Instances', main });
}
