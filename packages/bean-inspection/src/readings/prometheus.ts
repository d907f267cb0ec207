import { weightedElements } from '@jig/http';
import type { Call } from '../handle.ts';
import { type Answer, bytes } from '../http/answer.ts';
import type { Mount } from '../mount.ts';
import { type Metric, metricSamples, type Sample } from './metric-samples.ts';

const formats = {
  text: 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores',
  text1: 'text/plain; version=1.0.0; charset=utf-8; escaping=underscores',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8; escaping=underscores',
} as const;

type Format = keyof typeof formats;

/** All metrics in the text format of Prometheus that the client prefers. */
export function metricsAnswer({ mount, request }: Call): Answer & { readonly body: string } {
  const format = preferredFormat(request.raw.headers.accept ?? '');
  const body = metricsText(mount, format);
  return { ...bytes(body, formats[format]), body };
}

/** The first that a client names among those it weighs highest; everybody else gets the one that all read. */
function preferredFormat(accept: string): Format {
  const ranges = weightedElements(accept).filter(({ weight }) => weight > 0);
  ranges.sort((one, other) => other.weight - one.weight);
  for (const { value, parameters } of ranges) {
    const version = parameters.map((each) => /^version *= *"?([\d.]+)"?$/i.exec(each)?.[1]).find(Boolean);
    const type = value.toLowerCase();
    if (type === 'application/openmetrics-text' && version !== '0.0.1') return 'openMetrics';
    if (type === 'text/plain') return version === '1.0.0' ? 'text1' : 'text';
  }
  return 'text';
}

/** Samples of one name, which must stand together. */
interface Family {
  readonly metric: Metric;
  readonly unit: string;
  readonly samples: Map<string, number>;
}

function metricsText(mount: Mount, format: Format): string {
  const families = new Map<string, Family>();
  const gaps: string[] = [];
  for (const sample of metricSamples(mount)) {
    const { metric, value, fault } = sample;
    if (value !== undefined) addSample(families, sample, value);
    else if (fault !== undefined && Object.hasOwn(mount.options.metrics, metric.name))
      gaps.push(`# ${metric.name}: ${fault}`);
  }
  const lines = targetLines(mount, format);
  for (const [name, family] of families) lines.push(...familyLines(name, family, format));
  if (format === 'openMetrics') lines.push('# EOF');
  // OpenMetrics has no comments.
  else lines.push(...gaps.map((gap) => gap.replaceAll(/\s+/g, ' ')));
  return `${lines.join('\n')}\n`;
}

/** Two names or attributes may be the same in underscores; then the first counts. */
function addSample(families: Map<string, Family>, { metric, attributes }: Sample, value: number): void {
  const { name, unit } = prometheusName(metric);
  const family = families.get(name) ?? { metric, unit, samples: new Map<string, number>() };
  families.set(name, family);
  const labels = labelsText(attributes);
  if (!family.samples.has(labels)) family.samples.set(labels, value);
}

function familyLines(name: string, { metric, unit, samples }: Family, format: Format): string[] {
  const isOpen = format === 'openMetrics';
  const suffix = metric.isCounter === true ? '_total' : '';
  const sampleName = name + suffix;
  const family = isOpen ? name : sampleName;
  // Names of these endings belong to histograms elsewhere, so nothing is claimed of their type.
  const isReserved = /_(?:count|sum|bucket)$/.test(sampleName);
  const type = isReserved ? (isOpen ? 'unknown' : 'untyped') : metric.isCounter === true ? 'counter' : 'gauge';
  return [
    `# HELP ${family} ${escapeHelp(metric.description, isOpen)}`,
    `# TYPE ${family} ${type}`,
    ...(isOpen && unit !== '' && name.endsWith(`_${unit}`) ? [`# UNIT ${family} ${unit}`] : []),
    ...[...samples].map(([labels, value]) => `${sampleName}${labels} ${value}`),
  ];
}

/** What the numbers are of, as OpenTelemetry tells it. */
function targetLines({ options: { application }, instances }: Mount, format: Format): string[] {
  const { npm_package_name: name, npm_package_version: version } = process.env;
  const labels = labelsText({
    ...(application === undefined ? {} : { 'service.name': application }),
    ...(version === undefined || application !== name ? {} : { 'service.version': version }),
    'service.instance.id': instances.here.id,
    'process.runtime.version': process.version,
  });
  const family = format === 'openMetrics' ? 'target' : 'target_info';
  const type = format === 'openMetrics' ? 'info' : 'gauge';
  return [`# HELP ${family} The process that this was read in.`, `# TYPE ${family} ${type}`, `target_info${labels} 1`];
}

/** Words for units, and for what they are divided by (OpenTelemetry, "Prometheus and OpenMetrics Compatibility"). */
const unitWords: Readonly<Record<string, string>> = {
  d: 'days',
  h: 'hours',
  min: 'minutes',
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
  By: 'bytes',
  kBy: 'kilobytes',
  MBy: 'megabytes',
  GBy: 'gigabytes',
  KiBy: 'kibibytes',
  MiBy: 'mebibytes',
  GiBy: 'gibibytes',
  m: 'meters',
  V: 'volts',
  A: 'amperes',
  J: 'joules',
  W: 'watts',
  g: 'grams',
  Cel: 'celsius',
  Hz: 'hertz',
  '%': 'percent',
};
const perWords: Readonly<Record<string, string>> = {
  s: 'second',
  m: 'minute',
  min: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  y: 'year',
};

interface PrometheusName {
  /** Without `_total`. */
  readonly name: string;
  /** The word that it ends with. */
  readonly unit: string;
}

const prometheusNames = new WeakMap<Metric, PrometheusName>();

function prometheusName(metric: Metric): PrometheusName {
  let known = prometheusNames.get(metric);
  if (known === undefined) {
    const { name, unit, isCounter = false } = metric;
    const plain = isCounter ? underscored(name).replace(/_total$/, '') : underscored(name);
    const word = unitWord(unit, isCounter);
    known = { name: word === '' || plain.endsWith(`_${word}`) ? plain : `${plain}_${word}`, unit: word };
    prometheusNames.set(metric, known);
  }
  return known;
}

function unitWord(unit: string, isCounter: boolean): string {
  if (unit === '1') return isCounter ? '' : 'ratio';
  const [what = '', per = ''] = unit.replaceAll(/\{[^{}]*\}/g, '').split('/');
  const words = [unitWords[what] ?? what, per === '' ? '' : `per_${perWords[per] ?? per}`];
  return underscored(words.join('_')).replace(/^_|_$/g, '');
}

/** A name begins with a letter, so that digits stay digits. */
const underscored = (name: string) => name.replaceAll(/[^a-zA-Z0-9]+/g, '_').replace(/^(?=\d)/, '_');

function labelsText(attributes: Readonly<Record<string, string>>): string {
  const labels = Object.entries(attributes).map(([name, value]) => `${underscored(name)}="${escapeLabel(value)}"`);
  return `{${labels.join(',')}}`;
}

const escapeLabel = (text: string) => escapeHelp(text, true);

function escapeHelp(text: string, quotes: boolean): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return quotes ? escaped.replaceAll('"', '\\"') : escaped;
}

/** The text of one instance. */
export interface MetricsText {
  readonly id: string;
  readonly text: string;
}

interface TextFamily {
  readonly about: Set<string>;
  readonly samples: string[];
}

const end = '# EOF';
/** What a line says of a family, and a sample: `name{labels} value`. */
const aboutLine = /^# (?:HELP|TYPE|UNIT) (\S+)/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The metrics of several instances in one text, each sample with the id of its own. Lines of a name must stand together. */
export function labelledMetrics(texts: readonly MetricsText[]): string {
  const families = new Map<string, TextFamily>();
  for (const { id, text } of texts) {
    let family: TextFamily = { about: new Set(), samples: [] };
    for (const line of text.split('\n')) {
      const [, name] = aboutLine.exec(line) ?? [];
      if (name !== undefined) {
        family = families.get(name) ?? { about: new Set(), samples: [] };
        families.set(name, family.about.add(line) && family);
      }
      const [, sample = '', labels = '', value = ''] = sampleLine.exec(line) ?? [];
      if (sample === '') continue;
      const own = labels.includes('service_instance_id=') ? [labels] : [labels, `service_instance_id="${id}"`];
      family.samples.push(`${sample}{${own.filter(Boolean).join(',')}} ${value}`);
    }
  }
  const lines = [...families.values()].flatMap(({ about, samples }) => [...about, ...samples]);
  const isOpen = texts.some(({ text }) => text.trimEnd().endsWith(end));
  return `${[...lines, ...(isOpen ? [end] : [])].join('\n')}\n`;
}
