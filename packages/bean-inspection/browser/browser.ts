import { startList } from './list.ts';
import { startLiveTree, startLiveWatch } from './live.ts';
import { startMenus } from './menus.ts';
import { find } from './page.ts';
import { Tree } from './tree.ts';

// Behind a port that several processes share, what the script asks for is for the one that made the page.
const { instance } = find<HTMLElement>('[data-instance]')?.dataset ?? {};
const here = new URL(location.href);
if (instance && !here.searchParams.has('instance')) {
  here.searchParams.set('instance', instance);
  history.replaceState(history.state, '', here);
}

/** What the pages of the bean browser do beyond links and forms. Every page works without it. */
startMenus();
startList();
const table = find<HTMLTableElement>('#tree');
if (table) startLiveTree(new Tree(table));
const watched = find('#watched');
if (watched) startLiveWatch(watched);
