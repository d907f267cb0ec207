import { describe, expect, it } from 'vitest';
import {
  addressProblems,
  inPublishingOrder,
  type Manifest,
  manifestProblems,
  readManifest,
  releasedPackages,
  versionProblems,
} from './released-packages.ts';

const host: Manifest = { name: 'host', version: '1.2.0', dependencies: { ground: '1.2.0', other: '^9.0.0' } };
const ground: Manifest = { name: 'ground', version: '1.2.0' };
const addOn: Manifest = { name: 'add-on', version: '1.2.0', peerDependencies: { host: '1.2.0' } };

describe('the packages of this repository', () => {
  it('are eight, none before one that it needs', () => {
    const names = releasedPackages().map(({ name }) => name);
    expect(names).toHaveLength(8);
    expect(names.indexOf('@jig/inspect')).toBeLessThan(names.indexOf('@jig/application'));
    expect(names.indexOf('@jig/application')).toBeLessThan(names.indexOf('@jig/bean-inspection'));
    expect(names.indexOf('@jig/bean-inspection')).toBeLessThan(names.indexOf('@jig/console'));
  });

  it('have one version, also where they need each other, in the service and at the root', () => {
    const { version } = readManifest('.');
    const manifests = [...releasedPackages(), readManifest('service'), readManifest('.')];
    expect(versionProblems(version, manifests)).toEqual([]);
  });

  it('have complete package.json files', () => expect(manifestProblems(releasedPackages())).toEqual([]));
});

describe('inPublishingOrder', () => {
  it('puts what is needed first, be it a dependency or a peer', () => {
    expect(inPublishingOrder([addOn, host, ground]).map(({ name }) => name)).toEqual(['ground', 'host', 'add-on']);
  });
});

describe('versionProblems', () => {
  it('names a package of another version, and one that needs another version of ours', () => {
    const older: Manifest = { ...ground, version: '1.1.0' };
    const loose: Manifest = { ...addOn, peerDependencies: { host: '^1.0.0' } };
    expect(versionProblems('1.2.0', [host, older, loose])).toEqual([
      'ground has version 1.1.0, not 1.2.0.',
      'add-on needs host ^1.0.0, not 1.2.0.',
    ]);
  });
});

describe('manifestProblems', () => {
  it('names each field that is missing', () => {
    const [complete = ground] = releasedPackages();
    const { keywords, ...withoutKeywords } = complete;
    expect(keywords).toBeDefined();
    expect(manifestProblems([{ ...withoutKeywords, name: 'short' }])).toEqual([
      'The package.json of short has no keywords.',
    ]);
  });
});

describe('addressProblems', () => {
  it('names each address that is missing', () => {
    const half: Manifest = { ...host, repository: 'https://example.com/host.git' };
    const whole: Manifest = { ...half, homepage: 'https://example.com', bugs: 'https://example.com/bugs' };
    expect(addressProblems([whole, half])).toEqual([
      'The package.json of host has no homepage.',
      'The package.json of host has no bugs.',
    ]);
  });
});
