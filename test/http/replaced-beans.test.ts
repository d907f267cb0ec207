import { defineFeature } from '@jig/application';
import { startForTest } from '@jig/application/testing';
import { expect, it } from 'vitest';
import beanInspection from '../../packages/bean-inspection/src/add-on.ts';

const cellar = defineFeature({
  name: 'cellar',
  register(host) {
    host.define('cellar', { create: () => new Map([['wine', 3]]) });
    host.define('attic', { create: () => new Set(['trunk']) });
  },
});

it('GET /jig/bean.json shows a fake as replaced, and real beans as before', async () => {
  const replace = Object.fromEntries([['cellar', { wine: 'fake' }]]);
  await using application = await startForTest({ features: [cellar], addOns: [beanInspection], replace });
  const get = (path: string) => application.inject({ url: path, headers: { host: 'localhost' } });
  expect((await get('/jig/bean/cellar.json')).json()).toEqual({ wine: 'fake' });
  const beans: unknown[] = (await get('/jig/bean.json')).json().beans;
  expect(beans).toContainEqual(expect.objectContaining({ name: 'cellar', owner: 'cellar', replaced: true }));
  expect(beans).not.toContainEqual(expect.objectContaining({ name: 'attic', replaced: true }));
});
