import { startList } from './list.ts';
import { startLiveTree, startLiveWatch } from './live.ts';
import { startForms, startMenus } from './menus.ts';
import { find } from './page.ts';
import { Tree } from './tree.ts';

/** What the pages of the bean browser do beyond links and forms. Every page works without it. */
startMenus();
startForms();
startList();
const table = find<HTMLTableElement>('#tree');
if (table) startLiveTree(new Tree(table));
const watched = find('#watched');
if (watched) startLiveWatch(watched);
