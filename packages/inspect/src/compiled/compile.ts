import { compileFunction } from 'node:vm';
import { maskMark } from '../masking/secret-finder.ts';
import { isSecretKey } from '../masking/secret-key.ts';
import { lookupGetter } from '../walk/intrinsics.ts';
import { hasProxiedGetter } from '../walk/reflection.ts';
import { Constant, isLittleEndian, type Label } from './label.ts';
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
        return index === ${ownKeys.length} && !('toJSON' in object) && !(Symbol.iterator in object);
      } catch {
        return false;
      }
    };`;
  return compileFunction(source, ['keys'])(ownKeys) as Matcher;
}

/** Whether no own key of an object that matches has a proxy for its getter. */
export function compileGetterCheck(ownKeys: readonly string[]): Matcher {
  const gets = ownKeys.map((key) => `|| lookupGetter.call(object, ${JSON.stringify(key)})`);
  const source = `
    return function canRead(object) {
      const getter = false ${gets.join(' ')};
      return !getter || !keys.some((key) => hasProxiedGetter(object, key));
    };`;
  const parameters = ['keys', 'lookupGetter', 'hasProxiedGetter'];
  return compileFunction(source, parameters)(ownKeys, lookupGetter, hasProxiedGetter) as Matcher;
}

export function compileJson(shape: ShapeParts): CompiledWriter {
  return compile(shape, ({ key, json }) => {
    const whole = (value: string) => bytesCode(new Constant(`${JSON.stringify(key)}:${value},`));
    return {
      masked: whole(`"${maskMark}"`),
      true: whole('true'),
      false: whole('false'),
      null: whole('null'),
      text: `${bytesCode(json)} writer.text(value);`,
      number: `${bytesCode(json)} writer.number(value);`,
    };
  });
}

export function compileXml(shape: ShapeParts): CompiledWriter {
  return compile(shape, ({ name, xmlOpen, xmlClose, xmlEmpty }) => {
    const whole = (value: string) => bytesCode(new Constant(`<${name}>${value}</${name}>`));
    const [open, close, empty] = [bytesCode(xmlOpen), bytesCode(xmlClose), bytesCode(xmlEmpty)];
    return {
      masked: whole(maskMark),
      true: whole('true'),
      false: whole('false'),
      null: empty,
      text: `if (value === '') { ${empty} } else { ${open} writer.text(value); ${close} }`,
      number: `${open} writer.number(value); ${close}`,
    };
  });
}

/** The code that writes one property, for each kind of value that it may have. */
type PropertyCode = Readonly<Record<'masked' | 'true' | 'false' | 'null' | 'text' | 'number', string>>;

/** Keys reach the code only as JSON string literals and as bytes, never as they are. */
function compile(shape: ShapeParts, codeOf: (label: Label) => PropertyCode): CompiledWriter {
  const properties = shape.labels.map((label, index) => {
    const code = codeOf(label);
    const key = JSON.stringify(label.key);
    const body = isSecretKey(label.key) ? maskedCode(key, code) : propertyCode(key, index, code);
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
  return compileFunction(source, ['shape', 'labels', 'sites', 'isLittleEndian'])(
    shape,
    shape.labels,
    shape.sites,
    isLittleEndian,
  ) as CompiledWriter;
}

function maskedCode(key: string, { masked }: PropertyCode): string {
  return `if (writer.shows(object, ${key})) { ${masked} }`;
}

function propertyCode(key: string, index: number, code: PropertyCode): string {
  return `
    try { value = object[${key}]; } catch (error) { value = writer.threw(error); }
    if (typeof value === 'string') { ${code.text} }
    else if (typeof value === 'number') { ${code.number} }
    else if (value === null) { ${code.null} }
    else if (typeof value === 'object') {
      if (!writer.enter(value, sites[${index}], labels[${index}])) {
        writer.save(shape, object, ${index + 1}, label);
        return false;
      }
    }
    else if (value === true) { ${code.true} }
    else if (value === false) { ${code.false} }
    else if (value === undefined) { if (writer.shows(object, ${key})) { ${code.null} } }
    else if (typeof value !== 'function') writer.rest(value, labels[${index}]);`;
}

/** Code that writes constant bytes, eight at a time; what it writes past their end is overwritten by what follows. */
function bytesCode({ words, length }: Constant): string {
  const stores = [...words].map((word, index) => `view.setFloat64(position + ${index * 8}, ${word}, isLittleEndian);`);
  return `view = writer.view; position = writer.position; ${stores.join(' ')} writer.position = position + ${length};`;
}
