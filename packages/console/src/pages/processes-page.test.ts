import type { Announcement } from '@jig/bean-inspection/internal';
import { describe, expect, it } from 'vitest';
import type { NodeProcess } from '../processes/node-processes.ts';
import { processesPage } from './processes-page.ts';

const time = new Date();

const instance = (changes: Partial<Announcement> = {}): Announcement => ({
  version: 1,
  id: 'machine-7',
  label: 'pid 7',
  pid: 7,
  parentPid: 1,
  thread: 0,
  mount: 1,
  application: 'shop',
  folder: '/srv/shop',
  node: 'v24.1.0',
  startedAt: time.toISOString(),
  prefix: '/jig',
  socket: '/run/user/7/jig/7-0-x-1.sock',
  addresses: [],
  ...changes,
});

const aProcess = (changes: Partial<NodeProcess> = {}): NodeProcess => ({
  pid: 7,
  parentPid: 1,
  name: 'shop',
  command: 'node app.js',
  startedAt: time.getTime() - 90_000,
  addresses: [],
  instances: [],
  isTool: false,
  ...changes,
});

const view = { prefix: '/x', isLive: false, hasTools: false, hasAllWorkers: false, agentCommand: 'npx jig mcp' };
const pageOf = (processes: readonly NodeProcess[], changes: Partial<typeof view> & { problem?: string } = {}) =>
  processesPage({ time, processes, problem: changes.problem }, { ...view, ...changes });

describe('the page of processes', () => {
  it('says what to do where none is running, and that tools are left out', () => {
    const page = pageOf([aProcess({ isTool: true })]);
    expect(page).toContain('<h2>No Node process is running</h2>');
    expect(page).toContain('<p class="after">1 belongs to editors and tools');
    expect(page).not.toContain('<table');
    expect(pageOf([aProcess({ isTool: true })], { hasTools: true })).toContain('<b>Editors and tools</b>');
  });

  it('says why processes could not be listed, and shows those with Jig', () => {
    const page = pageOf([aProcess({ instances: [instance()] })], { problem: 'ps answered: <permission> denied.' });
    expect(page).toContain('<b>The list of processes could not be read.</b> ps answered: &#60;permission&#62; denied.');
    expect(page).toContain('<a href="/x/i/7-0-x-1/jig/bean">Open beans</a>');
    expect(pageOf([], { problem: 'No.' })).not.toContain('No Node process is running');
  });

  it('shows several mounts, threads and what was attached', () => {
    const instances = [
      instance({ attached: true }),
      instance({ prefix: '/admin/jig', socket: '/x/7-0-x-2.sock' }),
      instance({ thread: 3, label: 'thread 3', socket: '/x/7-3-x-1.sock' }),
    ];
    const page = pageOf([aProcess({ instances })]);
    expect(page).toContain('>Open beans <bdi dir="ltr">/jig</bdi></a><a href="/x/detach/7">Detach…</a>');
    expect(page).toContain('<a href="/x/i/7-0-x-2/admin/jig/bean">Open beans <bdi dir="ltr">/admin/jig</bdi></a>');
    expect(page).toMatch(/<tr role="row" class="below">.*<span>Thread 3<\/span>.*7-3-x-1/);
  });

  it('folds more than eight workers', () => {
    const workers = Array.from({ length: 9 }, (_, index) =>
      aProcess({ pid: 100 + index, parentPid: 7, label: `worker ${index + 1}` }),
    );
    const all = [aProcess(), ...workers];
    expect(pageOf(all)).toContain('<a href="/x/?workers=1">9 workers. Show them</a>');
    expect(pageOf(all)).not.toContain('Worker 9');
    expect(pageOf(all, { hasAllWorkers: true })).toContain('Worker 9');
    expect(pageOf(all)).toContain('<b>Can be attached</b><span class="num">1</span>');
  });

  it('groups by what can be done, and says why something cannot', () => {
    const obstacle = 'It was started with --permission, which closes its debugger.';
    const page = pageOf([aProcess({ obstacle }), aProcess({ pid: 8 }), aProcess({ pid: 9, instances: [instance()] })]);
    const groups = [...page.matchAll(/<div><b>(.*?)<\/b><span class="num">1<\/span>/g)].map(([, name]) => name);
    expect(groups).toEqual(['Jig is in it', 'Can be attached', 'Cannot be attached']);
    expect(page).toContain('<p>It was started with <code>--permission</code>, which closes its debugger.</p>');
  });

  it('escapes what processes are called', () => {
    const page = pageOf([aProcess({ name: '<script>alert(1)</script>', command: 'node "><img src=x>' })]);
    expect(page).not.toMatch(/<script>alert|<img/);
  });
});
