import { hostname, userInfo } from 'node:os';
import { type Html, html, pageWith } from '@jig/bean-inspection/internal';

/** A page of the console: the machine and the user in its bar. @param prefix all addresses of the console begin with it */
export function consolePage(title: string, prefix: string, main: Html): string {
  const bar = html`<a class="brand" href="${prefix}/">Jig</a>
<span class="app"><b><bdi>${hostname()}</bdi></b> <span>user <bdi>${userInfo().username}</bdi></span></span>
<nav aria-label="Main"><ul><li><a href="${prefix}/" aria-current="page">Processes</a></li></ul></nav>`;
  return pageWith({ title, prefix, bar, main });
}
