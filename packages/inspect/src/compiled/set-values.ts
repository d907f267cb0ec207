import { setSize, setValues } from '../walk/intrinsics.ts';
import { itemLabel, type Label } from './label.ts';
import type { Frame, Site, Writing } from './writing.ts';

interface OpenSet {
  readonly set: Set<unknown>;
  readonly values: Iterator<unknown>;
  readonly site: Site;
  readonly label: Label | string;
}

export function writeSet(writer: Writing, set: Set<unknown>, site: Site, label: Label | string): boolean {
  return writeValues(writer, { set, values: setValues(set), site, label }, 0);
}

function writeValues(writer: Writing, open: OpenSet, from: number): boolean {
  const { values, label } = open;
  const element = open.site.element;
  for (let count = from; ; count++) {
    if (count >= writer.limit) return writer.cutList(remaining(open, count), label);
    const { done, value } = values.next();
    if (done === true) return writer.closeList(label);
    writer.ancestors.standOn(count);
    if (!writer.value(value, element, itemLabel)) return writer.stop(setFrame(open, count + 1));
  }
}

function setFrame(open: OpenSet, count: number): Frame {
  return {
    resume: (writer) => writeValues(writer, open, count),
    cut: (writer) => writer.cutList(remaining(open, count), open.label),
  };
}

function remaining({ set }: OpenSet, count: number): number {
  return setSize(set) - count;
}
