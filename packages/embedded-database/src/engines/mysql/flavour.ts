import type { ServerCommand } from '../../supervisor/server-process.ts';

/** MySQL and MariaDB run alike, but are initialised differently. */
export interface Flavour {
  readonly product: 'MariaDB' | 'MySQL';
  readonly version: string;
}

/** Debian's `mysqld` is MariaDB, so the name of the program tells nothing: only `--version` does. */
export function flavourOf(printed: string): Flavour {
  const product = /MariaDB/i.test(printed) ? 'MariaDB' : 'MySQL';
  return { product, version: /\d+\.\d+\.\d+/.exec(printed)?.[0] ?? printed };
}

export interface Programs {
  readonly server: string;
  /** MariaDB only. */
  readonly installer: string | undefined;
}

/** The commands that make a new database in the folder; the statements are read from standard input or a file, since they hold the password. */
export function initialisation(
  { product }: Flavour,
  { server, installer }: Programs,
  folder: string,
  statements: { readonly text: string; readonly file: string },
): readonly ServerCommand[] {
  const data = ['--no-defaults', `--datadir=${folder}`];
  if (product === 'MySQL')
    return [{ file: server, args: [...data, '--initialize-insecure', `--init-file=${statements.file}`] }];
  return [
    { file: installer ?? 'mariadb-install-db', args: [...data, '--skip-test-db', '--skip-name-resolve'] },
    { file: server, args: [...data, '--bootstrap'], input: statements.text },
  ];
}
