import type { Call } from '../handle.ts';
import { type Answer, wholeAnswer } from '../http/answer.ts';
import type { Mount } from '../mount.ts';
import { type Metric, metricSamples } from './metric-samples.ts';

/** All metrics in the text format of Prometheus. */
export function metricsAnswer({ mount }: Call): Answer & { readonly body: string } {
  const body = metricsText(mount);
  return { ...wholeAnswer(body, 'text/plain; version=0.0.4; charset=utf-8'), body };
}

/** The samples of one name, whose lines must be adjacent. */
interface Family {
  readonly metric: Metric;
  readonly samples: Map<string, number>;
}

function metricsText(mount: Mount): string {
  const families = new Map<string, Family>();
  const gaps: string[] = [];
  for (const { metric, attributes, value, fault } of metricSamples(mount)) {
    if (value === undefined) {
      if (fault !== undefined && Object.hasOwn(mount.options.metrics, metric.name))
        gaps.push(`# ${metric.name}: ${fault}`.replaceAll(/\s+/g, ' '));
      continue;
    }
    const name = prometheusName(metric);
    const family = families.get(name) ?? { metric, samples: new Map<string, number>() };
    families.set(name, family);
    const labels = labelsText(attributes);
    // Two names or attributes may become equal by their underscores; the first one wins.
    if (!family.samples.has(labels)) family.samples.set(labels, value);
  }
  const lines = targetLines(mount);
  for (const [name, { metric, samples }] of families) {
    // These suffixes are reserved for histograms, so the type is left open.
    const isReserved = /_(?:count|sum|bucket)$/.test(name);
    const type = isReserved ? 'untyped' : metric.isCounter === true ? 'counter' : 'gauge';
    lines.push(`# HELP ${name} ${escapeHelp(metric.description)}`, `# TYPE ${name} ${type}`);
    for (const [labels, value] of samples) lines.push(`${name}${labels} ${value}`);
  }
  return `${[...lines, ...gaps].join('\n')}\n`;
}

/** The resource of the numbers, as OpenTelemetry names it. */
function targetLines({ options: { application }, instances }: Mount): string[] {
  const { npm_package_name: name, npm_package_version: version } = process.env;
  const labels = labelsText({
    ...(application === undefined ? {} : { 'service.name': application }),
    ...(version === undefined || application !== name ? {} : { 'service.version': version }),
    'service.instance.id': instances.here.id,
    'process.runtime.version': process.version,
  });
  return [
    '# HELP target_info The process that this was read in.',
    '# TYPE target_info gauge',
    `target_info${labels} 1`,
  ];
}

/** Words for units, and for what they are divided by (OpenTelemetry, "Prometheus and OpenMetrics Compatibility"). */
const unitWords: Readonly<Record<string, string>> = {
  s: 'seconds',
  ms: 'milliseconds',
  By: 'bytes',
  kBy: 'kilobytes',
  MBy: 'megabytes',
  GBy: 'gigabytes',
  '%': 'percent',
};
const perWords: Readonly<Record<string, string>> = { s: 'second', min: 'minute', h: 'hour', d: 'day' };

function prometheusName({ name, unit, isCounter }: Metric): string {
  const plain = isCounter ? underscored(name).replace(/_total$/, '') : underscored(name);
  const word = unitWord(unit, isCounter);
  return `${plain}${word === '' || plain.endsWith(`_${word}`) ? '' : `_${word}`}${isCounter ? '_total' : ''}`;
}

function unitWord(unit: string, isCounter: boolean | undefined): string {
  if (unit === '1') return isCounter ? '' : 'ratio';
  const [what = '', per = ''] = unit.replaceAll(/\{[^{}]*\}/g, '').split('/');
  const words = [unitWords[what] ?? what, per === '' ? '' : `per_${perWords[per] ?? per}`];
  return underscored(words.join('_')).replace(/^_|_$/g, '');
}

/** A name must not begin with a digit. */
const underscored = (name: string) => name.replaceAll(/[^a-zA-Z0-9]+/g, '_').replace(/^(?=\d)/, '_');

function labelsText(attributes: Readonly<Record<string, string>>): string {
  const labels = Object.entries(attributes).map(([name, value]) => `${underscored(name)}="${escapeLabel(value)}"`);
  return `{${labels.join(',')}}`;
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"');

/** The comments of a family, and a sample: `name{labels} value`. */
const aboutLine = /^# (?:HELP|TYPE) (\S+)/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The metrics of several instances in one text, each sample with the id of its instance. Lines of one name must be adjacent. */
export function labelledMetrics(texts: readonly { readonly id: string; readonly text: string }[]): string {
  const families = new Map<string, { readonly about: Set<string>; readonly samples: string[] }>();
  for (const { id, text } of texts)
    for (const line of text.split('\n')) {
      const [, sample, labels = '', value] = sampleLine.exec(line) ?? [];
      const name = sample ?? aboutLine.exec(line)?.[1];
      if (name === undefined) continue;
      const family = families.get(name) ?? { about: new Set(), samples: [] };
      families.set(name, family);
      if (sample === undefined) family.about.add(line);
      else {
        const own = labels.includes('service_instance_id=') ? [labels] : [labels, `service_instance_id="${id}"`];
        family.samples.push(`${sample}{${own.filter(Boolean).join(',')}} ${value}`);
      }
    }
  const lines = [...families.values()].flatMap(({ about, samples }) => [...about, ...samples]);
  return `${lines.join('\n')}\n`;
}
