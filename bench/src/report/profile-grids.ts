import { layers } from '../profile/layer.ts';
import type { ProfileResult } from '../profile/take-profile.ts';
import type { Grid } from './grid.ts';
import { number } from './numbers.ts';

/** What each layer takes of each kind of request, and the functions that take most. */
export function profileGrids(profiles: readonly ProfileResult[]): Grid[] {
  return profiles.length === 0 ? [] : [layerGrid(profiles), functionGrid(profiles)];
}

function layerGrid(profiles: readonly ProfileResult[]): Grid {
  const shareOf = (profile: ProfileResult, wanted: string) =>
    percent(profile.layers.find(({ layer }) => layer === wanted)?.share ?? 0);
  return {
    columns: ['layer', ...profiles.map(({ name }) => name)],
    rows: [
      ...layers.map((layer) => [layer, ...profiles.map((profile) => shareOf(profile, layer))]),
      ['all, µs CPU per request while the profiler looks', ...profiles.map(({ cost }) => number(cost))],
    ],
  };
}

function functionGrid(profiles: readonly ProfileResult[]): Grid {
  return {
    columns: ['the heaviest functions', 'of', 'share'],
    rows: profiles.flatMap(({ name: profile, functions }) => [
      [profile, '', ''],
      ...functions.map(({ name, source, share }) => [
        `  ${name || 'a function without a name'}`,
        source,
        percent(share),
      ]),
    ]),
  };
}

const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
