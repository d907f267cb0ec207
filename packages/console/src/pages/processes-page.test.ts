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
  script: '/srv/shop/main.js',
  rules: '',
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

const view = { prefix: '/x', isLive: false, agentCommand: 'npx jig mcp' };
const pageOf = (processes: readonly NodeProcess[], changes: Partial<typeof view> & { problem?: string } = {}) =>
  processesPage({ time, processes, problem: changes.problem }, { ...view, ...changes });

describe('the page of processes', () => {
  it('says what to do when no process is running, and that tools are left out', () => {
    const page = pageOf([aProcess({ isTool: true })]);
    expect(page).toContain('<h2>No Node process is running</h2>');
    expect(page).toContain('<p class="after">1 of editors and tools');
    expect(page).not.toContain('<table');
  });

  it('says why processes could not be listed, and shows those with Jig in them', () => {
    const page = pageOf([aProcess({ instances: [instance()] })], { problem: 'No <proc>.' });
    expect(page).toContain('<b>The list of processes could not be read.</b> No &#60;proc&#62;.');
    expect(page).toContain('<a href="/x/i/7-0-x-1/jig/bean">Open beans</a>');
    expect(pageOf([], { problem: 'No.' })).not.toContain('No Node process is running');
  });

  it('has a link for each process and thread, and a button to detach', () => {
    const instances = [
      instance({ attached: true }),
      instance({ prefix: '/admin/jig', socket: '/x/7-0-x-2.sock' }),
      instance({ thread: 3, label: 'thread 3', socket: '/x/7-3-x-1.sock' }),
    ];
    const page = pageOf([aProcess({ instances })]);
    expect(page).toContain(
      '<a href="/x/i/7-0-x-1/jig/bean">Open beans</a><form method="post" action="/x/detach/7"><button class="ghost">Detach</button></form>',
    );
    expect(page).not.toContain('7-0-x-2');
    expect(page).toMatch(/<tr role="row" id="7-3-x-1.sock" class="below">.*<span>Thread 3<\/span>.*7-3-x-1/);
  });

  it('truncates a command to one line, with the whole of it in the attribute title', () => {
    const command = `node app.js ${'-'.repeat(200)}`;
    const page = pageOf([aProcess({ command })]);
    expect(page).toContain(`<code dir="ltr" title="${command}">${command.slice(0, 90)}…</code>`);
  });

  it('groups processes by what can be done, and says why one cannot be attached', () => {
    const obstacle = 'It was started with --permission, which closes its debugger.';
    const page = pageOf([aProcess({ obstacle }), aProcess({ pid: 8 }), aProcess({ pid: 9, instances: [instance()] })]);
    const groups = [...page.matchAll(/<div><b>(.*?)<\/b><span class="num">1<\/span>/g)].map(([, name]) => name);
    expect(groups).toEqual(['Jig is in it', 'Can be attached', 'Cannot be attached']);
    expect(page).toContain('<p>It was started with <code>--permission</code>, which closes its debugger.</p>');
  });

  it('escapes names of processes', () => {
    const page = pageOf([aProcess({ name: '<script>alert(1)</script>', command: 'node "><img src=x>' })]);
    expect(page).not.toMatch(/<script>alert|<img/);
  });
});
