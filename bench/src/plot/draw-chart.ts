import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart, ChartLine } from './chart.ts';
import { colours, lineColours, withBothThemes } from './themes.ts';

const width = 760;
const height = 460;
const symbols = ['circle', 'rect', 'triangle', 'diamond'];

/** The chart as an SVG document, for light and dark pages. */
export function drawChart(chart: Chart): string {
  use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption(optionsOf(chart));
    return withBothThemes(withoutPointers(drawing.renderToSVGString()), chart.title);
  } finally {
    drawing.dispose();
  }
}

/** ECharts has no way to leave out what a drawing does under a pointer, which a picture on a page never sees. */
function withoutPointers(svg: string): string {
  return svg
    .replace(/<style\s*><!\[CDATA\[.*?\]\]>\s*<\/style>/gs, '')
    .replace(/ (class="zr[^"]*"|pointer-events="[^"]*")/g, '');
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

/** Whole powers of ten, so that a line's height can be read off. */
function decadesAround(lines: readonly ChartLine[]): { min: number; max: number } {
  const costs = lines.flatMap(({ points }) => points.map(([, cost]) => cost));
  return {
    min: 10 ** Math.floor(Math.log10(Math.min(...costs))),
    max: 10 ** Math.ceil(Math.log10(Math.max(...costs))),
  };
}
