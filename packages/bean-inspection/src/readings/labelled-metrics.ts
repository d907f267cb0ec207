/** The text of one instance. */
export interface MetricsText {
  readonly id: string;
  readonly text: string;
}

interface Family {
  readonly about: Set<string>;
  readonly samples: string[];
}

const end = '# EOF';
/** What a line says of a family, and a sample: `name{labels} value`. */
const aboutLine = /^# (?:HELP|TYPE|UNIT) (\S+)/;
const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The metrics of several instances in one text, each sample with the id of its own. Lines of a name must stand together. */
export function labelledMetrics(texts: readonly MetricsText[]): string {
  const families = new Map<string, Family>();
  for (const { id, text } of texts) {
    let family: Family = { about: new Set(), samples: [] };
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
