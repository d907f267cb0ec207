import { type ConfigurationSchema, namedSettings } from './setting-names.ts';

/** The text of `--help`. */
export function helpText(application: string, schema: ConfigurationSchema): string {
  const blocks = namedSettings(schema).map(({ setting, environment, flags }) =>
    [
      `  ${flags.map((flag) => `--${flag}`).join(', ')}`,
      `      ${setting.description}`,
      `      ${environment}; default ${setting.show(setting.default)}; ${setting.expected}`,
    ].join('\n'),
  );
  return [
    `${application}: settings, as flags, environment variables, or section.key in jig.config.json (flags win, then the environment).`,
    '',
    ...blocks,
    '  --config FILE',
    '      Read this file instead of jig.config.json.',
    '  --verbose',
    '      Show the stack when the start fails.',
    '  --help, -h',
    '  --version',
    '',
  ].join('\n');
}

/** The tables of `docs/configuration.md`. */
export function settingsAsMarkdown(schema: ConfigurationSchema): string {
  const sections = Object.keys(schema).map((section) => {
    const rows = namedSettings({ [section]: schema[section] ?? {} }).map(({ key, setting, environment, flags }) => {
      const cells = [
        `\`${key}\``,
        `\`${environment}\``,
        flags.map((flag) => `\`--${flag}\``).join(' '),
        `\`${setting.show(setting.default)}\``,
        setting.expected,
        setting.description + (setting.secret ? ' Secret: never shown.' : ''),
      ];
      return `| ${cells.join(' | ')} |`;
    });
    return [
      `## ${section}`,
      '',
      '| setting | environment | flag | default | allowed | what it does |',
      '|---|---|---|---|---|---|',
      ...rows,
    ].join('\n');
  });
  return `${sections.join('\n\n')}\n`;
}
