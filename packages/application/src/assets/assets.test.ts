import { describe, expect, it } from 'vitest';
import { Assets, installedLibrary } from './assets.ts';

const here = new URL(import.meta.url);

function published(): Assets {
  const assets = new Assets();
  assets.publish({ library: 'ours', version: '1.0.0', files: { 'a.js': here } });
  return assets;
}

describe('publishing', () => {
  it('adds files to a library that another part published, in the same version', () => {
    const assets = published();
    assets.publish({ library: 'ours', version: '1.0.0', files: { 'css/b.css': here } });
    expect(assets.url('ours', 'css/b.css')).toBe('/assets/ours/1.0.0/css/b.css');
  });

  it.each([
    ['a.js', '1.0.0', here, 'has the file a.js twice'],
    ['b.js', '2.0.0', here, 'is published in version 1.0.0 already, and cannot be in 2.0.0 too'],
    ['b.js', '1.0.0', new URL('b', here), 'has no file b.js where it should be'],
  ])('refuses %s in version %s', (file, version, source, problem) => {
    expect(() => published().publish({ library: 'ours', version, files: { [file]: source } })).toThrow(
      expect.objectContaining({ code: 'JIG_ASSET_UNPUBLISHABLE', message: `The library ours ${problem}.` }),
    );
  });

  it.each(['../c.js', 'a//c.js', '/c.js', 'c%2f.js', 'c d.js', '', '...'])('refuses the file name %j', (file) => {
    expect(() => published().publish({ library: 'ours', version: '1.0.0', files: { [file]: here } })).toThrow(
      `The library ours has a name that is not fit for an address: ours/1.0.0/${file}.`,
    );
  });
});

describe('the address of an asset', () => {
  it.each([
    ['ours', 'b.js'],
    ['theirs', 'a.js'],
    ['constructor', 'name'],
  ])('that nobody published is an error: %s/%s', (library, file) => {
    expect(() => published().url(library, file)).toThrow(
      expect.objectContaining({ code: 'JIG_ASSET_UNKNOWN', library, file }),
    );
  });
});

describe('an installed library', () => {
  it('is published in the version that is installed', () => {
    const library = installedLibrary('fastify', import.meta.url, { 'fastify.js': 'fastify.js' });
    expect(library.version).toMatch(/^5\.\d+\.\d+$/);
    const assets = new Assets();
    assets.publish(library);
    expect(assets.url('fastify', 'fastify.js')).toBe(`/assets/fastify/${library.version}/fastify.js`);
  });

  it('that is not installed is an error in one sentence', () => {
    expect(() => installedLibrary('no-such-library', import.meta.url, {})).toThrow(
      'The library no-such-library is not installed; npm install no-such-library does it.',
    );
  });
});
