import { existsSync } from 'node:fs';
import { defineFeature, duration, string } from '@jig/application';
import { startForTest } from '@jig/application/testing';
import { describe, expect, it } from 'vitest';

/** Its private members make a plain object no Mailbox. */
class Mailbox {
  readonly #sent: string[] = [];
  isOpen = false;
  send(letter: string): number {
    return this.#sent.push(letter);
  }
}

declare module '@jig/application' {
  interface BeanTypes {
    testMailbox: Mailbox;
  }
}

const mail = defineFeature({
  name: '@test/mail-box',
  settings: {
    greeting: string({ default: 'Dear', description: 'How a letter begins.' }),
    pause: duration({ default: '5s', minimum: '1s', description: 'How long to wait.' }),
  },
  needs: ['testMailbox'],
  register(host) {
    host.define('testMailbox', {
      create: () => new Mailbox(),
      start: (box) => {
        box.isOpen = true;
      },
    });
    host.routes(async (server, { testMailbox }) => {
      server.get('/send', async () => ({ number: testMailbox.send(host.settings.greeting), open: testMailbox.isOpen }));
      server.get('/settings', async () => host.settings);
      server.get('/visits', async ({ session }) => [...(await session.entries())]);
    });
  },
});

describe('startForTest', () => {
  it('starts the beans and answers without a port', async () => {
    await using application = await startForTest({ features: [mail] });
    expect((await application.inject('/send')).json()).toEqual({ number: 1, open: true });
    expect(application.server.server.listening).toBe(false);
    expect(() => application.url).toThrow('start it with listen: true');
  });

  it('listens on a free port when asked to', async () => {
    await using application = await startForTest({ features: [mail], listen: true });
    expect(await (await fetch(`${application.url}/send`)).json()).toEqual({ number: 1, open: true });
  });

  it('replaces a bean by a fake, which is not started and is described as replaced', async () => {
    const letters: string[] = [];
    const fake = { send: (letter: string) => letters.push(letter) + 41 };
    await using application = await startForTest({ features: [mail], replace: { testMailbox: fake } });
    expect((await application.inject('/send')).json()).toEqual({ number: 42 });
    expect(letters).toEqual(['Dear']);
    expect(application.beans.describe('testMailbox')).toMatchObject({ replaced: true });
  });

  it('accepts settings by section, the name of the part in camelCase', async () => {
    await using application = await startForTest({ features: [mail], settings: { mailBox: { greeting: 'Hello' } } });
    expect((await application.inject('/settings')).json()).toEqual({ greeting: 'Hello', pause: 5000 });
  });

  it.each([
    [{ mailBox: { greetings: 'Hi' } }, 'Unknown setting "mailBox.greetings" (code of the application); --help'],
    [
      { mailBox: { pause: 'soon' } },
      'Setting mailBox.pause got "soon" (code of the application); expected a span of time',
    ],
  ])('rejects the settings %j', async (settings, sentence) => {
    await expect(startForTest({ features: [mail], settings })).rejects.toThrow(sentence);
  });

  it('keeps sessions in memory, and removes its data folder at the end', async () => {
    const application = await startForTest({ features: [mail] });
    expect((await application.inject('/health')).json().parts.sessions.details.store).toBe('memory');
    expect(existsSync(application.home)).toBe(true);
    expect(await application.stop()).toBe(true);
    expect(existsSync(application.home)).toBe(false);
  });

  it('writes the lines of its log to logDestination, masked', async () => {
    const lines: string[] = [];
    const talking = defineFeature({
      name: 'talking',
      register: (host) => host.log.info('it says open-sesame-open-sesame-open-sesame'),
    });
    await using _application = await startForTest({
      features: [talking],
      settings: { log: { level: 'info' }, sessions: { secret: 'open-sesame-open-sesame-open-sesame' } },
      logDestination: { write: (line) => lines.push(line) },
    });
    const [line = '{}'] = lines.filter((each) => each.includes('it says'));
    expect(line).toMatch(/\n$/);
    expect(JSON.parse(line)).toMatchObject({ msg: 'it says ******', name: 'Test', level: 30 });
  });

  it('leaves nothing behind when a bean does not start', async () => {
    let home = '';
    const broken = defineFeature({
      name: 'broken',
      register(host) {
        home = host.home;
        host.define('broken', {
          create: () => 1,
          start: () => {
            throw new Error('no luck');
          },
        });
      },
    });
    await expect(startForTest({ features: [broken] })).rejects.toThrow('The bean broken did not start: no luck');
    expect(home).not.toBe('');
    expect(existsSync(home)).toBe(false);
  });
});
