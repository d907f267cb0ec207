import { withInstance } from '../http/address.ts';
import type { Instance } from '../instances/instances.ts';
import { html } from './html.ts';
import { page, type Site, timeOf } from './page.ts';

/** The instances of the application, each with a link to its beans. */
export function instancesListPage(
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
