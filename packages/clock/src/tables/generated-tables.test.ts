import { describe, expect, it } from 'vitest';
import { makeTables } from '../../scripts/tables/make-tables.ts';
import { ZoneRules } from '../zones/zone-rules.ts';
import { MomentTable, Tables } from './tables.ts';

const made = makeTables();
const tables = Tables.read();

describe('the tables in data/', () => {
  if (!tables.isOfThisNode) {
    it('say that they were generated with another ICU than that of this Node', () => {
      expect(tables.madeFrom).not.toEqual(made.index.versions);
    });
    return;
  }

  it('are what the script generates from the installed CLDR', async () => {
    const texts = await tables.texts();
    expect(tables.tags().join(' ')).toBe(made.index.tags);
    expect(JSON.stringify(new Tables(made.index).zones())).toBe(JSON.stringify(tables.zones()));
    expect(new Tables(made.index).parts()).toEqual(tables.parts());
    expect(tables.madeFrom).toEqual(made.index.versions);
    expect(texts.toString() === made.text).toBe(true);
    const moments = new MomentTable(made.moments);
    for (const position of tables.tags().keys()) {
      const { formatGroup } = tables.row(position);
      expect(tables.momentTemplates(formatGroup)).toEqual(moments.templates(formatGroup));
    }
  });

  it('have a row for every locale', () => {
    const again = new Tables(made.index);
    for (const position of tables.tags().keys()) expect(again.row(position)).toEqual(tables.row(position));
  });
});

describe('Tables', () => {
  it('have no templates for another ICU, even of the same CLDR', () => {
    const own = { ...process.versions, ...made.index.versions };
    const formatGroup = 0;
    expect(new Tables(made.index, own).momentTemplates(formatGroup)).toBeDefined();
    const next = new Tables(made.index, { ...own, icu: `${own.icu}.1` });
    expect([next.sameIcu, next.isOfThisNode, next.momentTemplates(formatGroup)]).toEqual([false, false, undefined]);
  });

  it('report in their health when this Node has another ICU', () => {
    const versions = { ...process.versions, icu: '99.1', cldr: '99', tz: '2099a' };
    const health = new Tables(made.index, versions).health(ZoneRules.read());
    expect(health).toMatchObject({ ok: true, details: { running: { cldr: '99', tz: '2099a' } } });
    expect(health.state).toContain('another ICU');
  });

  it('report in their health the tz database in use, and why it is not the packaged one', () => {
    const own = new Tables(made.index, { ...process.versions, ...made.index.versions });
    const packaged = { release: '2026f', source: 'a package', available: { packaged: '2026f', icu: '2025c' } };
    expect(own.health(packaged)).toMatchObject({ state: 'ready; time zones 2026f', details: { timeZones: packaged } });
    const ofIcu = new ZoneRules(undefined, { icu: '78.2', tz: '2025c' });
    expect(own.health(ofIcu).state).toBe('ready; time zones 2025c, since the package moment-timezone cannot be read');
  });
});
