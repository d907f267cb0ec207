import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

/** A line chart with logarithmic axes. */
export interface Chart {
  /** The name of its file, without extension. */
  readonly name: string;
  readonly title: string;
  readonly horizontal: { readonly name: string; readonly labels: readonly ChartLabel[] };
  readonly vertical: { readonly name: string };
  readonly lines: readonly ChartLine[];
}

export interface ChartLabel {
  readonly at: number;
  readonly text: string;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly (readonly [size: number, cost: number])[];
  /** Not measured, but drawn for comparison. */
  readonly isReference?: boolean;
}

const width = 760;
const height = 460;
const symbols = ['circle', 'rect', 'triangle', 'diamond'];

/** For light and for dark pages. The first is also the fallback of viewers that ignore the style sheet. */
const themes = {
  paper: ['#ffffff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  faint: ['#d1d9e0', '#30363d'],
} as const;

type ThemeColour = keyof typeof themes;

const themeColours = Object.keys(themes) as ThemeColour[];

const colours = Object.fromEntries(themeColours.map((name) => [name, `var(--${name}, ${themes[name][0]})`])) as Record<
  ThemeColour,
  string
>;

/** Visible on both papers, and distinguishable for the colour-blind. */
const lineColours = ['#2f81d0', '#d9730d', '#1a9c74', '#b562c4'];

/** The chart as an SVG document. */
export function drawChart(chart: Chart): string {
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption(optionsOf(chart));
    return withThemes(withoutHover(drawing.renderToSVGString()), chart.title);
  } finally {
    drawing.dispose();
  }
}

/** ECharts has no option to leave out hover styles, which an image on a page cannot use. */
function withoutHover(svg: string): string {
  return svg
    .replace(/<style\s*><!\[CDATA\[.*?\]\]>\s*<\/style>/gs, '')
    .replace(/ (class="zr[^"]*"|pointer-events="[^"]*")/g, '');
}

/** Adds a style sheet for light and dark pages, and a title for screen readers. */
function withThemes(svg: string, title: string): string {
  const rule = (theme: 0 | 1) => `:root{${themeColours.map((name) => `--${name}:${themes[name][theme]}`).join(';')}}`;
  const style = `<style>${rule(0)}@media (prefers-color-scheme:dark){${rule(1)}}</style>`;
  return `${svg.replace(/<svg[^>]*>/, (root) => `${root}\n<title>${title}</title>\n${style}`).trim()}\n`;
}

function optionsOf({ title, horizontal, vertical, lines }: Chart) {
  const axis = {
    type: 'log' as const,
    nameLocation: 'middle' as const,
    nameTextStyle: { color: colours.ink, fontSize: 13 },
    axisLabel: { color: colours.ink, fontSize: 12 },
    axisLine: { show: true, lineStyle: { color: colours.faint } },
    splitLine: { lineStyle: { color: colours.faint } },
  };
  const labels = new Map(horizontal.labels.map(({ at, text }) => [String(at), text]));
  const legendHeight = 22 * lines.length;
  return {
    animation: false,
    backgroundColor: colours.paper,
    textStyle: { fontFamily: 'system-ui, sans-serif' },
    title: { text: title, left: 'center', top: 12, textStyle: { color: colours.ink, fontSize: 17 } },
    legend: {
      orient: 'vertical' as const,
      left: 80,
      bottom: 12,
      itemWidth: 32,
      textStyle: { color: colours.ink, fontSize: 13 },
      data: lines.map(({ name, isReference }) => (isReference ? { name, itemStyle: { opacity: 0 } } : { name })),
    },
    grid: { left: 80, right: 40, top: 56, bottom: 62 + legendHeight },
    xAxis: {
      ...axis,
      name: horizontal.name,
      nameGap: 30,
      min: horizontal.labels[0]?.at ?? 1,
      max: horizontal.labels.at(-1)?.at ?? 10,
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => labels.get(String(value)) ?? '' },
    },
    yAxis: {
      ...axis,
      name: vertical.name,
      nameGap: 56,
      ...decadesAround(lines),
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => value.toLocaleString('en-US') },
    },
    series: lines.map(seriesOf),
  };
}

function seriesOf({ name, points, isReference = false }: ChartLine, index: number) {
  const color = isReference ? colours.ink : lineColours[index % lineColours.length];
  return {
    type: 'line' as const,
    name,
    data: points.map(([size, cost]) => [size, cost]),
    color,
    lineStyle: { color, width: isReference ? 1 : 2.5, type: isReference ? ('dashed' as const) : ('solid' as const) },
    symbol: isReference ? 'none' : symbols[index % symbols.length],
    symbolSize: 9,
    clip: false,
  };
}

/** Whole powers of ten, so that the height of a line can be read. */
function decadesAround(lines: readonly ChartLine[]): { min: number; max: number } {
  const costs = lines.flatMap(({ points }) => points.map(([, cost]) => cost));
  return {
    min: 10 ** Math.floor(Math.log10(Math.min(...costs))),
    max: 10 ** Math.ceil(Math.log10(Math.max(...costs))),
  };
}
