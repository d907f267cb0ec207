import { spawnSync } from 'node:child_process';
import { instance } from '@viz-js/viz';
import { describe, expect, it } from 'vitest';
import type { BeanDescription } from '../sources/bean-source.ts';
import { beanGraph } from './bean-graph.ts';
import { drawGraph } from './drawing.ts';
import { toDot, toMermaid } from './formats.ts';
import { graphPage } from './graph-page.ts';
import { layOut, node } from './layout.ts';

const bean = (name: string, dependencies: BeanDescription['dependencies'] = [], owner = 'shop'): BeanDescription => ({
  name,
  type: 'Thing',
  scope: 'singleton',
  owner,
  dependencies,
  instantiated: true,
});

/** Names that mean something in one of the formats, and how they are shown. */
const oddNames: readonly (readonly [string, string])[] = [
  ['with "quotes"', 'with "quotes"'],
  ['back\\slash\\n and \\"', 'back\\slash\\n and \\"'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['&amp; &#34; #quot; #35; ]]>', '&amp; &#34; #quot; #35; ]]>'],
  ['two\nlines\r\tand \0 and \x1b', 'two␊lines␍␉and ␀ and ␛'],
  ['a --> b; n0["x"] %% }', 'a --> b; n0["x"] %% }'],
  ['subgraph { } [ ] | : = ; ,', 'subgraph { } [ ] | : = ; ,'],
  ['\u2028 and \x85', '\u{fffd} and \u{fffd}'],
  ['lone \ud800', 'lone \u{fffd}'],
  ['שלום עולם', 'שלום עולם'],
  ['\u202eevil', '\u202eevil'],
  ['クロック 🕰️', 'クロック 🕰️'],
  ['', '(no name)'],
  ['x'.repeat(5000), 'x'.repeat(5000)],
];

const odd = oddNames.map(([name], index) => bean(name, [oddNames[(index + 1) % oddNames.length]?.[0] ?? ''], name));
const graph = beanGraph(odd);

function isWellFormed(xml: string): string {
  const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', '-'], { input: xml });
  return String(stderr);
}

/** The texts of all elements of a name, by the parser of libxml. */
function textsOf(xml: string, path: string): string[] {
  const { stdout } = spawnSync('xmllint', ['--xpath', `//*[local-name()='${path}']/text()`, '-'], { input: xml });
  return String(stdout).trimEnd().split('\n');
}

const decodeXml = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('names that mean something to a format', () => {
  it('are unchanged in SVG, which is well-formed', async () => {
    const drawn = drawGraph('', graph, layOut(graph)).toString();
    expect(isWellFormed(drawn)).toBe('');
    expect(textsOf(drawn, 'title').map(decodeXml).sort()).toEqual(oddNames.map(([, shown]) => shown).sort());
  });

  it('are read unchanged from DOT by Graphviz', async () => {
    const viz = await instance();
    const { objects } = viz.renderJSON(toDot(graph)) as { objects: { name: string; label: string }[] };
    const svg = viz.renderString(toDot(graph), { format: 'svg' });
    expect(objects.filter(({ name }) => name.startsWith('n'))).toHaveLength(odd.length);
    expect(isWellFormed(svg)).toBe('');
    const texts = textsOf(svg, 'text').map(decodeXml);
    const plain = (text: string) => text.replaceAll('\u{a0}', ' ');
    for (const [, shown] of oddNames) expect(texts.map(plain)).toContain(shown);
  });

  it('contain no syntax of Mermaid', () => {
    const lines = toMermaid(graph).trimEnd().split('\n');
    const grammar = [
      /^flowchart LR$/,
      /^ {2}subgraph o\d+ \[("[^"]*")\]$/,
      /^ {4}n\d+\[("[^"]*")\](?::::\w+)?$/,
      /^ {2}end$/,
      /^ {2}n\d+ (?:-->|==>) n\d+$/,
      /^ {2}classDef \w+ [\w:#,-]+(?: \d)*$/,
    ];
    for (const line of lines)
      expect(
        grammar.some((each) => each.test(line)),
        line,
      ).toBe(true);
    const labels = [...toMermaid(graph).matchAll(/n\d+\["([^"]*)"\]/g)].map(([, label = '']) => label);
    // In quotes, only entities and backticks have a meaning (https://mermaid.js.org/syntax/flowchart.html#entity-codes-to-escape-characters).
    for (const label of labels) expect(label.replace(/#\d+;/g, '')).toMatch(/^[\p{L}\p{M}\p{N} ./@:_-]*$/u);
    const decoded = labels.map((label) => label.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
    expect(decoded.sort()).toEqual(oddNames.map(([, shown]) => shown).sort());
  });
});

describe('a cycle', () => {
  const loop = beanGraph([bean('a', ['b']), bean('b', ['a', 'c']), bean('c')]);

  it('has thick lines in every format', async () => {
    expect(
      drawGraph('', loop, layOut(loop))
        .toString()
        .match(/class="wire loop"/g),
    ).toHaveLength(2);
    expect(toDot(loop).match(/penwidth=3/g)).toHaveLength(2);
    expect(toMermaid(loop).match(/==>/g)).toHaveLength(2);
  });
});

describe('the choice of owners', () => {
  const choiceOf = (count: number) => {
    const many = beanGraph(Array.from({ length: count }, (_, index) => bean(`b${index}`, [], `o${index}`)));
    const owners = new Map(many.beans.map(({ owner }) => [owner, 1]));
    return graphPage({ prefix: '/jig' }, { graph: many, owners, shown: [] });
  };

  it('is shown for several owners', () => {
    expect(choiceOf(1)).not.toContain('<form class="tools"');
    expect(choiceOf(2)).toContain('<form class="tools"');
  });

  it('is collapsed when it would push the drawing off the screen', () => {
    expect(choiceOf(8)).not.toContain('<details class="choice">');
    expect(choiceOf(9)).toContain('<details class="choice"><summary>Owners: <span class="num">all 9</span></summary>');
  });
});

describe('the page of beans without known needs', () => {
  const pageOf = (...beans: readonly BeanDescription[]) => {
    const without = beanGraph(beans);
    return graphPage({ prefix: '/jig' }, { graph: without, owners: new Map(), shown: [] });
  };

  it('says so in one sentence instead of a drawing', () => {
    const page = pageOf(bean('cache', 'unknown'), bean('process'));
    expect(page).toContain('What these beans need is not known');
    expect(page).not.toMatch(/class="graph"|graph\.dot|cache/);
  });

  it('is a drawing if all are known to need nothing, or one needs another', () => {
    expect(pageOf(bean('a'), bean('b'))).toContain('class="graph"');
    expect(pageOf(bean('a', ['b']), bean('b', 'unknown'))).toContain('class="graph"');
  });
});

describe('the layout', () => {
  it('of five columns fits on a page of 1,280 pixels without scrolling', () => {
    const beans = Array.from({ length: 5 }, (_, index) => bean(`b${index}`, index < 4 ? [`b${index + 1}`] : []));
    expect(layOut(beanGraph(beans)).width).toBeLessThanOrEqual(1280 - 2 * 32 - 2);
  });

  it('keeps boxes apart, in the lane of their owner, and columns in the direction of needs', async () => {
    const beans = Array.from({ length: 60 }, (_, index) =>
      bean(`b${index}`, index % 7 === 0 ? [] : [`b${Math.min(59, index + 1 + (index % 5))}`, 'b59'], `o${index % 4}`),
    );
    const { nodes, lanes, wires, width, height } = layOut(beanGraph(beans));
    for (const [index, a] of nodes.entries()) {
      const lane = lanes.find(({ owner }) => owner === a.bean.owner);
      expect(a.y).toBeGreaterThan(lane?.y ?? height);
      expect(a.y + node.height).toBeLessThanOrEqual((lane?.y ?? 0) + (lane?.height ?? 0));
      expect(a.x + node.width).toBeLessThanOrEqual(width);
      for (const b of nodes.slice(index + 1))
        expect(Math.abs(a.x - b.x) >= node.width || Math.abs(a.y - b.y) >= node.height).toBe(true);
    }
    const x = new Map(nodes.map((each) => [each.bean.name, each.x]));
    for (const { from, to, isInCycle } of wires)
      if (!isInCycle) expect(x.get(from.name)).toBeLessThan(x.get(to.name) ?? 0);
  });

  it('begins at the left with beans that nobody needs, followed by their dependencies', async () => {
    const chain = Array.from({ length: 9 }, (_, index) =>
      bean(`chain${index}`, index < 8 ? [`chain${index + 1}`] : []),
    );
    const features = Array.from({ length: 30 }, (_, index) => [
      bean(`controller${index}`, [`service${index}`], `o${index}`),
      bean(`service${index}`, ['chain8'], `o${index}`),
    ]);
    const { nodes } = layOut(beanGraph([...chain, ...features.flat()]));
    const columnOf = new Map(nodes.map((each) => [each.bean.name, (each.x - 19) / 250]));
    for (const index of features.keys()) {
      expect([columnOf.get(`controller${index}`), columnOf.get(`service${index}`)]).toEqual([0, 1]);
    }
    expect([columnOf.get('chain0'), columnOf.get('chain8')]).toEqual([0, 8]);
  });

  it('draws each wire from side to side, and those of a cycle apart', () => {
    const { nodes, wires } = layOut(beanGraph([bean('a', ['b']), bean('b', ['a'])]));
    const [left, right] = [nodes.find(({ x }) => x < 200), nodes.find(({ x }) => x > 200)];
    const ends = wires.map(({ path }) => path.match(/-?[\d.]+/g)?.map(Number) ?? []);
    const [gap, y] = [[(left?.x ?? 0) + node.width, right?.x ?? 0], left?.y ?? 0];
    expect(ends.map((at) => [at[0], at[6]])).toEqual(expect.arrayContaining([gap, gap.toReversed()]));
    expect(new Set(ends.map((at) => at[1]))).toEqual(new Set([y + 15, y + 23]));
  });

  it('places beans without known dependencies', async () => {
    const { nodes, wires } = layOut(beanGraph([bean('a', 'unknown'), bean('b', ['b'])]));
    expect(nodes).toHaveLength(2);
    expect(wires).toHaveLength(1);
  });
});
