import { describe, expect, it } from 'vitest';
import { readCommandLine } from './command-line.ts';

const nothing = { help: false, version: false, verbose: false, configurationFile: undefined };

describe('readCommandLine', () => {
  it.each([
    [[], {}],
    [['--help'], { help: true }],
    [['-h'], { help: true }],
    [['--version', '--verbose'], { version: true, verbose: true }],
    [['--config', 'mine.json'], { configurationFile: 'mine.json' }],
    [['--config=a.json', '--config=b.json'], { configurationFile: 'b.json' }],
    [['--server.port', '9000', '--greeting.name=x'], {}],
  ])('reads %j', (flags, expected) => {
    expect(readCommandLine(flags)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    [['--config'], 'Flag --config got none; expected the name of a file.'],
    [['--config='], 'Flag --config got none; expected the name of a file.'],
    [['--config', '--sessions.secret=hunter2'], 'Flag --config got none; expected the name of a file.'],
  ])('refuses %j with one sentence', (flags, sentence) => {
    expect(() => readCommandLine(flags)).toThrow(
      expect.objectContaining({ code: 'JIG_SETTING_INVALID', message: sentence }),
    );
  });
});
