import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { hostError } from '../errors.ts';
import { fileErrorMessage } from '../files.ts';
import type { Origin } from './configuration.ts';
import type { GivenValue } from './named-settings.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The content of a configuration file. */
export interface ConfigurationFile {
  readonly origin: Origin;
  /** All sections, also those without settings. */
  readonly sections: readonly string[];
  readonly values: readonly GivenValue[];
}

/** Reads a configuration file; messages call it by `origin`. A missing file is empty unless it must exist. */
export async function readConfigurationFile(
  path: string,
  mustExist: boolean,
  origin = basename(path),
): Promise<ConfigurationFile> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (!mustExist && (error as NodeJS.ErrnoException).code === 'ENOENT') return { origin, sections: [], values: [] };
    throw unreadable(origin, fileErrorMessage(error), error);
  }
  const sections = await parse(content, origin);
  if (!isRecord(sections)) throw unreadable(origin, 'it must hold one JSON object, sections to settings');
  const values = Object.entries(sections).flatMap(([section, settings]) => {
    if (!isRecord(settings)) {
      throw unreadable(origin, `section ${JSON.stringify(section)} must be an object of settings`);
    }
    return Object.entries(settings).map(([key, value]) => ({ key: `${section}.${key}`, value, origin }));
  });
  return { origin, sections: Object.keys(sections), values };
}

async function parse(content: string, origin: string): Promise<unknown> {
  try {
    return JSON.parse(content);
  } catch {
    // V8's own error is not kept as the cause: it quotes the file, which may hold secrets.
    const { line, column } = await positionOfFirstError(content);
    throw unreadable(origin, `it is not valid JSON at line ${line}, column ${column}`);
  }
}

/** V8's own message has no position for some errors, so a second parser finds it, loaded only then. */
async function positionOfFirstError(content: string): Promise<{ line: number; column: number }> {
  const { parseTree } = await import('jsonc-parser');
  const errors: { offset: number }[] = [];
  parseTree(content, errors as Parameters<typeof parseTree>[1], { disallowComments: true, allowTrailingComma: false });
  const before = content.slice(0, errors[0]?.offset ?? content.length).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function unreadable(origin: string, why: string, cause?: unknown) {
  return hostError('JIG_CONFIGURATION_UNREADABLE', `${origin} cannot be used: ${why}.`, {
    cause,
    fields: { origin },
  });
}
