import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import type { AddOn, Feature } from '@jig/application';
import { hostSettings, settingsAsMarkdown } from '@jig/application/internal';
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

You can set every setting in five places; later places override earlier ones:

1. its default,
2. what the application itself gives as \`settings\`: \`{ server: { port: 9000 } }\`,
3. \`jig.config.json\` in the working directory: \`{ "server": { "port": 9000 } }\` (\`--config FILE\` names another file),
4. an environment variable: \`PORT=9000\`,
5. a flag: \`npm start -- --port 9000\`.

Every setting is a flag by its name: \`--server.port 9000\`. A span of time is written \`500ms\`, \`30s\`, \`5m\`, \`2h\` or \`1d\`. A list is an array in JSON, and separated by commas elsewhere; a record is an object in JSON, and \`a=b,c=d\` elsewhere. Where nothing else is said, any text but an empty one is allowed.

If a section or key is unknown or a value is wrong, the start fails with exit code 1 and a sentence that says which, where it came from and what is expected, also if a later place overrides it. An empty variable (\`PORT=\`) counts as not set; an empty flag (\`--port=\`) is a value.

\`npm start -- --help\` prints this list. The bean \`configuration\` shows the current values and their origins, with secrets masked.

Written by \`npm run docs\`. Do not edit it.

${settingsAsMarkdown({ ...hostSettings, ...Object.fromEntries(sections) })}`;
}

/** Codes with what they mean. */
type Catalogue = Readonly<Record<string, { readonly when?: string; readonly fix?: string }>>;

/** `docs/errors.md`, from the catalogue of each package. */
export async function errorsPage(): Promise<string> {
  const catalogues = (await modulesNamed('errors.ts')).map(({ folder, module }) => {
    const entries = Object.values(module).flatMap((exported) => Object.entries(exported as Catalogue));
    const explained = entries.filter(([, { when }]) => when !== undefined);
    const rows = explained.map(([code, { when, fix }]) => `| \`${code}\` | ${when} ${fix} |`);
    return [`## @jig/${folder}`, '', '| code | when, and what to do |', '|---|---|', ...rows].join('\n');
  });
  return `# Errors

Every error of Jig has a code. If the start fails, one line on standard error says what is wrong and what to do, with the code at its end, and the exit code is 1. \`--verbose\` adds the stack. In the log the code is the field \`code\`, of \`err\` or of \`facts\`. Over HTTP an error is a problem document (RFC 9457) with a status, a title and a sentence; it never repeats what was sent.

Written by \`npm run docs\`. Do not edit it.

${catalogues.join('\n\n')}
`;
}

// npm run docs
if (process.argv.includes('--write')) {
  const docs = new URL('../docs/', import.meta.url);
  await writeFile(new URL('configuration.md', docs), await configurationPage());
  await writeFile(new URL('errors.md', docs), await errorsPage());
}
