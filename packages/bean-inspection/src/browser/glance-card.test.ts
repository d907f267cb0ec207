import { glance, type View } from '@jig/inspect';
import { describe, expect, it } from 'vitest';
import { glanceCard, glanceTiles } from './glance-card.ts';

const readings = {
  connections: { read: () => 12, of: () => 20, description: 'Open <now>' },
  size: { read: () => 41_200_000, of: () => 64_000_000, unit: 'bytes' },
  wait: { read: () => 12.3456, unit: 'ms' },
  isPaused: { read: () => false },
  state: { read: () => '<ready>' },
  missing: { read: () => undefined },
  broken: {
    read: () => {
      throw new TypeError('<no>');
    },
  },
  waitingJobs: { read: () => 1, ask: true, description: 'In Redis' },
  idleTimeout: { read: () => 10_000, unit: 'ms', isSetting: true },
} satisfies View['readings'];

const card = (shown: View['readings'], name: string | undefined = 'mail queue') => {
  const view: View = {
    name: 'shop.<Pool>',
    matches: (value): value is object => value !== undefined,
    readings: shown ?? {},
  };
  const told = glance({}, { views: [view] });
  return told === undefined ? '' : glanceCard('/jig', told, name).toString();
};

describe('a glance', () => {
  const markup = card(readings);

  it('has a tile for each changing value, with its unit, maximum and a bar', () => {
    expect(markup).toContain('<code class="soft">shop.&#60;Pool&#62;</code>');
    expect(markup).toContain(
      '<div title="Open &#60;now&#62;"><dt>Connections</dt><dd class="reading"><bdi dir="ltr"><b>12</b> <span>of 20</span></bdi></dd><dd aria-hidden="true"><svg class="level"><rect width="60.0%"',
    );
    expect(markup).toContain('<dd class="reading"><bdi dir="ltr"><b>41.2</b> <span>MB</span> <span>of 64</span>');
    expect(markup).toContain('<b>12.3</b> <span>ms</span>');
    expect(markup).toContain('<dt>Is paused</dt><dd class="reading"><b class="text" dir="auto">no</b>');
    expect(markup).toContain('<b class="text" dir="auto">&#60;ready&#62;</b>');
    expect(markup).not.toContain('Missing');
  });

  it('lists settings in one line below', () => {
    expect(markup).toContain(
      '<dl class="facts"><div><dt>Idle timeout</dt><dd class="num"><bdi dir="ltr"><b>10</b> <span>s</span></bdi></dd></div></dl>',
    );
    expect(glanceTiles(glance({}, { views: [] })?.readings ?? []).toString()).toBe('');
  });

  it('reports values that could not be read', () => {
    expect(markup).toContain('<span class="tag bad">not read</span> <span class="err">TypeError: &#60;no&#62;</span>');
  });

  it('has a button for values that must be asked for, and does not ask by itself', () => {
    expect(markup).toContain('<form class="foot row" method="post" action="/jig/bean/mail%20queue">');
    expect(markup).toContain(
      '<button class="button small" name="ask" value="waitingJobs" title="In Redis">Ask for waiting jobs</button>',
    );
    expect(card({ size: { read: () => 1 } })).not.toContain('<form');
    const reading = { name: 'jobs', isSetting: false, ask: true, value: 7, askedAt: '2026-11-17T14:02:15.000Z' };
    const asked = glanceCard('/jig', { view: 'Queue', readings: [reading], line: '' }, 'queue').toString();
    expect(asked).toMatch(/<b>7<\/b><\/bdi><\/dd><dd class="soft">asked at <time[^>]*>14:02:15 UTC<\/time><\/dd>/);
    expect(asked).toContain('>Ask again for jobs</button>');
  });

  it('shows a list as a table, with the first rows open and a bounded number in all', () => {
    const routes = (count: number) =>
      card({
        routes: { read: () => Array.from({ length: count }, (_, index) => ({ method: 'GET', path: `/<${index}>` })) },
      });
    const rows = (text: string) => text.match(/<td role="cell"><bdi>GET<\/bdi>/g)?.length;
    expect(routes(3)).toContain('<th role="columnheader" scope="col">Path</th>');
    expect(routes(3)).toContain('/&#60;2&#62;</bdi></td>');
    expect(routes(3)).not.toContain('<details');
    const [first = '', rest = ''] = routes(14).split('<details');
    expect([rows(first), rows(rest)]).toEqual([6, 8]);
    expect(rest).toContain('<summary>Show all 14</summary>');
    expect(rows(routes(1000))).toBe(100);
    expect(routes(1000)).toContain('Show the first 100 of 1,000');
    expect(routes(0)).not.toContain('<table');
  });
});
