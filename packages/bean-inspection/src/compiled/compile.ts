import { compileFunction } from 'node:vm';
import { MASK } from '../masking/mask.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import type { Label } from './label.ts';
import type { CompiledWriter, Matcher, Shape, Site } from './writing.ts';

/** A shape, and what its code refers to. */
export interface ShapeParts extends Shape {
  readonly labels: readonly Label[];
  readonly sites: readonly Site[];
}

export function compileMatcher(ownKeys: readonly string[]): Matcher {
  const source = `
    return function matches(object) {
      try {
        let index = 0;
        for (const key in object) {
          if (index === ${ownKeys.length} || key !== keys[index]) return false;
          index++;
        }
        return index === ${ownKeys.length} && object.toJSON === undefined && object[Symbol.iterator] === undefined;
      } catch {
        return false;
      }
    };`;
  return compileFunction(source, ['keys'])(ownKeys) as Matcher;
}

export function compileJson(shape: ShapeParts): CompiledWriter {
  return compile(shape, (index, label) => {
    const prefix = bytesCode(label.json);
    return {
      masked: bytesCode(encode(`${JSON.stringify(label.key)}:"${MASK}",`)),
      text: `${prefix} writer.text(value);`,
      number: `${prefix} writer.number(value);`,
      index,
    };
  });
}

export function compileXml(shape: ShapeParts): CompiledWriter {
  return compile(shape, (index, label) => {
    const open = bytesCode(label.xmlOpen);
    const close = bytesCode(label.xmlClose);
    return {
      masked: `${open} ${bytesCode(encode(MASK))} ${close}`,
      text: `if (value === '') { ${bytesCode(label.xmlEmpty)} } else { ${open} writer.text(value); ${close} }`,
      number: `${open} writer.number(value); ${close}`,
      index,
    };
  });
}

interface PropertyCode {
  readonly index: number;
  readonly masked: string;
  readonly text: string;
  readonly number: string;
}

/** Keys reach the code only as JSON string literals and as bytes, never as they are. */
function compile(shape: ShapeParts, codeOf: (index: number, label: Label) => PropertyCode): CompiledWriter {
  const properties = shape.labels.map((label, index) => {
    const code = codeOf(index, label);
    const key = JSON.stringify(label.key);
    const body = isSecretKey(label.key) ? maskedCode(key, code) : propertyCode(key, code);
    return `case ${index}: ${body}`;
  });
  const source = `
    return function write(writer, object, from, label) {
      let value;
      let view;
      let position;
      switch (from) {
        ${properties.join('\n')}
      }
      return writer.closeObject(label);
    };`;
  return compileFunction(source, ['shape', 'labels', 'sites'])(shape, shape.labels, shape.sites) as CompiledWriter;
}

function maskedCode(key: string, { masked }: PropertyCode): string {
  return `if (writer.shows(object, ${key})) { ${masked} }`;
}

function propertyCode(key: string, { index, text, number }: PropertyCode): string {
  return `
    try { value = object[${key}]; } catch (error) { value = writer.threw(error); }
    if (typeof value === 'string') { ${text} }
    else if (typeof value === 'number') { ${number} }
    else if (typeof value === 'object' && value !== null) {
      if (!writer.enter(value, sites[${index}], labels[${index}])) {
        writer.save(shape, object, ${index + 1}, label);
        return false;
      }
    }
    else if (typeof value !== 'function' && (value !== undefined || writer.shows(object, ${key}))) {
      writer.rest(value, labels[${index}]);
    }`;
}

/** Code that writes constant bytes, eight at a time; what it writes past their end is overwritten by what follows. */
function bytesCode(bytes: Uint8Array): string {
  const padded = new DataView(new ArrayBuffer(Math.ceil(bytes.length / 8) * 8));
  new Uint8Array(padded.buffer).set(bytes);
  const stores: string[] = [];
  for (let offset = 0; offset < bytes.length; offset += 8) {
    const store = eightBytesCode(padded, offset);
    stores.push(store);
  }
  return `view = writer.view; position = writer.position; ${stores.join(' ')} writer.position = position + ${bytes.length};`;
}

/** As one floating-point number where its bits make one that code can spell, else as two whole numbers. */
function eightBytesCode(padded: DataView, offset: number): string {
  const value = padded.getFloat64(offset, true);
  if (Number.isFinite(value)) return `view.setFloat64(position + ${offset}, ${value}, true);`;
  const [low, high] = [padded.getInt32(offset, true), padded.getInt32(offset + 4, true)];
  return `view.setInt32(position + ${offset}, ${low}, true); view.setInt32(position + ${offset + 4}, ${high}, true);`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
