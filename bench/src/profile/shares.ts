import { type Layer, layerOf, layers } from './layer.ts';
import type { SelfTime } from './self-time.ts';

export interface LayerShare {
  readonly layer: Layer;
  /** Of all the time at work: 0 to 1. */
  readonly share: number;
}

export interface FunctionShare {
  readonly name: string;
  readonly source: string;
  readonly layer: Layer;
  readonly share: number;
}

/** What each layer takes, all layers in their order. */
export function layerShares(times: readonly SelfTime[]): LayerShare[] {
  const byLayer = sumsBy(times, layerOf);
  return layers.map((layer) => ({ layer, share: (byLayer.get(layer) ?? 0) / totalOf(times) }));
}

/** The functions that take most, the first ones first. */
export function heaviestFunctions(times: readonly SelfTime[], count: number): FunctionShare[] {
  const key = ({ name, source }: SelfTime) => JSON.stringify([name, source]);
  const sums = sumsBy(times, key);
  const distinct = new Map(times.map((time) => [key(time), time]));
  return [...distinct]
    .map(([own, time]) => {
      const { name, source } = time;
      return { name, source, layer: layerOf(time), share: (sums.get(own) ?? 0) / totalOf(times) };
    })
    .sort((one, other) => other.share - one.share)
    .slice(0, count);
}

function sumsBy<Key>(times: readonly SelfTime[], keyOf: (time: SelfTime) => Key): Map<Key, number> {
  const sums = new Map<Key, number>();
  for (const time of times) sums.set(keyOf(time), (sums.get(keyOf(time)) ?? 0) + time.samples);
  return sums;
}

const totalOf = (times: readonly SelfTime[]) => times.reduce((sum, { samples }) => sum + samples, 0);
