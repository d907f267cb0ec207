import { startForTest } from '@jig/application/testing';
import { expect, test } from 'vitest';
import { notesFeature } from './notes.ts';

const start = (maximum = 100) => startForTest({ features: [notesFeature], settings: { notes: { maximum } } });

test.each([
  ['/app.js', 'application/javascript; charset=utf-8'],
  ['/style.css', 'text/css; charset=utf-8'],
  ['/index.html', 'text/html; charset=utf-8'],
])('GET %s returns the file', async (url, type) => {
  await using application = await start();
  const answer = await application.inject(url);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, type]);
  expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
});

test('GET /api/notes returns the newest notes first', async () => {
  await using application = await start(2);
  const notes = await application.beans.get('notes');
  for (const text of ['one', 'two', 'three']) notes.add(text);
  expect((await application.inject('/api/notes')).json()).toEqual(['three', 'two']);
});

test('an unknown address of the API is a problem, not a page', async () => {
  await using application = await start();
  const answer = await application.inject('/api/nothing');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'application/problem+json']);
});
