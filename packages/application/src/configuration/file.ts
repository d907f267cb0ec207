import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage, hostError } from '../errors.ts';
import type { GivenValue } from './names.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a configuration file, which messages call `origin`. A missing file counts as empty unless it must exist. */
export async function readConfigurationFile(
  path: string,
  mustExist: boolean,
  origin = basename(path),
): Promise<readonly GivenValue[]> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    if (!mustExist && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(origin, errorMessage(error), error);
  }
  const sections = parse(content, origin);
  if (!isRecord(sections)) throw unreadable(origin, 'it must hold one JSON object, sections to settings');
  return Object.entries(sections).flatMap(([section, settings]) => {
    if (!isRecord(settings)) {
      throw unreadable(origin, `section ${JSON.stringify(section)} must be an object of settings`);
    }
    return Object.entries(settings).map(([key, value]) => ({ key: `${section}.${key}`, value, origin }));
  });
}

/** V8's own error is not kept as the cause: it quotes the file, which may hold secrets. */
function parse(content: string, origin: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    const [, position] = / at position (\d+)/.exec(errorMessage(error)) ?? [];
    throw unreadable(origin, `it is not valid JSON${position === undefined ? '' : lineAt(content, Number(position))}`);
  }
}

function lineAt(content: string, position: number): string {
  const lines = content.slice(0, position).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function unreadable(origin: string, why: string, cause?: unknown) {
  return hostError('JIG_CONFIGURATION_UNREADABLE', `${origin} cannot be used: ${why}.`, {
    cause,
    fields: { origin },
  });
}
