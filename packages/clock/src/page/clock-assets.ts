import { readFileSync } from 'node:fs';
import type { Assets, PublishedLibrary } from '@jig/application';
import { packageFolder } from '../package-folder.ts';
import type { PageAssets } from './page-template.ts';

/** The output of `scripts/build-assets.ts`: each file with the library and version that it comes from. */
export type AssetManifest = Readonly<Record<keyof PageAssets, BuiltAsset>>;

export interface BuiltAsset {
  readonly library: string;
  readonly version: string;
  readonly file: string;
}

const folder = new URL('dist/assets/', packageFolder);

export function readAssetManifest(): AssetManifest {
  return JSON.parse(readFileSync(new URL('assets.json', folder), 'utf8')) as AssetManifest;
}

export function publishedLibrary({ library, version, file }: BuiltAsset): PublishedLibrary {
  return { library, version, files: { [file]: new URL(file, folder) } };
}

/** The script that is part of the page. */
export const readInlineScript = (): string => readFileSync(new URL('inline.js', folder), 'utf8');

export function assetAddresses(manifest: AssetManifest, assets: Assets): PageAssets {
  const address = ({ library, file }: BuiltAsset) => assets.url(library, file);
  const { stylesheet, bootstrap, jquery, search, searchData } = manifest;
  return {
    stylesheet: address(stylesheet),
    bootstrap: address(bootstrap),
    jquery: address(jquery),
    search: address(search),
    searchData: address(searchData),
  };
}
