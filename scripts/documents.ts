import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import type { AddOn, Feature, SettingsSchema } from '@jig/application';
import { hostSettings, namedSettings } from '@jig/application/internal';
import { service } from '../service/src/application.ts';

const packages = new URL('../packages/', import.meta.url);

async function modulesNamed(name: string): Promise<readonly { folder: string; module: Record<string, unknown> }[]> {
  const folders = (await readdir(packages)).sort();
  const present = folders.filter((folder) => existsSync(new URL(`${folder}/src/${name}`, packages)));
  return Promise.all(
    present.map(async (folder) => ({ folder, module: await import(new URL(`${folder}/src/${name}`, packages).href) })),
  );
}

/** `docs/configuration.md`, from the schemas of the host, the service's features and every add-on. */
export async function configurationPage(): Promise<string> {
  const addOns = (await modulesNamed('add-on.ts')).map(({ module }) => module.default as AddOn);
  const parts: readonly Feature[] = [...(service.features ?? []), ...addOns];
  const sections = parts.flatMap(({ section, settings }) =>
    section === undefined ? [] : [[section, settings ?? {}] as const],
  );
  return `# Configuration

Written by \`npm run docs\`. Do not edit it.

Set a setting in any of these places; later ones win:

1. \`settings\` in the code of the application: \`{ server: { port: 9000 } }\`,
2. \`jig.config.json\` in the working directory: \`{ "server": { "port": 9000 } }\` (\`--config FILE\` names another file),
3. an environment variable: \`PORT=9000\`,
4. a flag: \`npm start -- --server.port 9000\`.

Each line has a setting and its variable, the default (and what is allowed), and what it does. Times are written \`500ms\`, \`30s\`, \`5m\`, \`2h\` or \`1d\`. A list is an array in JSON and separated by commas elsewhere; a record is an object in JSON and \`a=b,c=d\` elsewhere. An empty variable (\`PORT=\`) counts as not set.

\`npm start -- --help\` prints this list, with the bounds of numbers and times; the bean \`configuration\` shows each value and where it came from.

${settingsAsMarkdown({ ...hostSettings, ...Object.fromEntries(sections) })}`;
}

/** What the page leaves to its introduction, `--help` and error messages. */
const saidElsewhere =
  /^(?:a text that is not empty|true or false|an integer from .*|a span of time .*)$|(?: of texts)? \(.* outside JSON\)$/;

/** The lists of `docs/configuration.md`. */
function settingsAsMarkdown(schema: Readonly<Record<string, SettingsSchema>>): string {
  const sections = Object.keys(schema).map((section) => {
    const rows = namedSettings({ [section]: schema[section] ?? {} }).map(({ key, setting, environment }) => {
      const notes = [
        ...(setting.flag === undefined ? [] : [` Also \`--${setting.flag}\`.`]),
        ...(setting.secret ? [' Secret.'] : []),
      ];
      const allowed = setting.expected.replace(saidElsewhere, '');
      const value = `\`${setting.show(setting.default)}\`${allowed && ` (${allowed})`}`;
      return `- \`${key}\`, \`${environment}\`: ${value}. ${setting.description}${notes.join('')}`;
    });
    return [`## ${section}`, '', ...rows].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}

/** Codes with what they mean. */
type Catalogue = Readonly<Record<string, { readonly when?: string; readonly fix?: string }>>;

/** `docs/errors.md`, from the catalogue of each package. */
export async function errorsPage(): Promise<string> {
  const catalogues = (await modulesNamed('errors.ts')).map(({ folder, module }) => {
    const entries = Object.values(module).flatMap((exported) => Object.entries(exported as Catalogue));
    const explained = entries.filter(([, { when }]) => when !== undefined);
    const lines = explained.map(([code, { when, fix }]) => `- \`${code}\`: ${when} ${fix}`);
    return [`## @jig/${folder}`, '', ...lines].join('\n');
  });
  return `# Errors

Written by \`npm run docs\`. Do not edit it.

Every error has a code. A start that fails prints one line with the code at its end; \`--verbose\` adds the stack. In the log it is the field \`code\`, of \`err\` or of \`facts\`.

${catalogues.join('\n\n')}
`;
}

// npm run docs
if (process.argv.includes('--write')) {
  const docs = new URL('../docs/', import.meta.url);
  await writeFile(new URL('configuration.md', docs), await configurationPage());
  await writeFile(new URL('errors.md', docs), await errorsPage());
}
