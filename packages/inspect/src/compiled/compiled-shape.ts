import { compileFunction } from 'node:vm';
import { isSecretKey } from '../masking/secret-key.ts';
import { maskMark, type SecretFinder } from '../masking/secrets.ts';
import { lookupGetter } from '../walk/intrinsics.ts';
import { hasProxiedGetter } from '../walk/reflection.ts';
import { Constant, isLittleEndian } from './byte-output.ts';
import { type EncodedKey, encodedProperty } from './encoded-key.ts';
import { type CompiledWriter, InlineCache, type Matcher, type Shape, type WriterContext } from './writer-context.ts';

/** A shape whose code is compiled when it is first needed. */
export class CompiledShape implements Shape {
  readonly prototype: object;
  readonly facts: object;
  epoch = 0;
  readonly properties: readonly string[];
  readonly encodedKeys: readonly EncodedKey[];
  readonly caches: readonly InlineCache[];
  readonly matches: Matcher;
  readonly hasNoProxiedGetter: Matcher;
  /** The secret values that none of the keys holds. */
  #checkedAgainst: SecretFinder | undefined;
  #json: CompiledWriter | undefined;
  #xml: CompiledWriter | undefined;

  constructor(prototype: object, facts: object, ownKeys: readonly string[], getters: readonly string[]) {
    this.prototype = prototype;
    this.facts = facts;
    this.properties = [...ownKeys, ...getters];
    this.encodedKeys = this.properties.map(encodedProperty);
    this.caches = this.properties.map(() => new InlineCache());
    this.matches = compileMatcher(ownKeys);
    this.hasNoProxiedGetter = compileProxyCheck(ownKeys);
  }

  get json(): CompiledWriter {
    this.#json ??= compileJson(this);
    return this.#json;
  }

  get xml(): CompiledWriter {
    this.#xml ??= compileXml(this);
    return this.#xml;
  }

  respectsOptionsOf({ limit, masking }: Pick<WriterContext, 'limit' | 'masking'>): boolean {
    if (this.properties.length > limit) return false;
    if (this.#checkedAgainst === masking.secrets) return true;
    if (this.properties.some((key) => masking.key(key) !== key)) return false;
    this.#checkedAgainst = masking.secrets;
    return true;
  }
}

function compileMatcher(ownKeys: readonly string[]): Matcher {
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
function compileProxyCheck(ownKeys: readonly string[]): Matcher {
  const gets = ownKeys.map((key) => `|| lookupGetter.call(object, ${JSON.stringify(key)})`);
  const source = `
    return function hasNoProxiedGetter(object) {
      const getter = false ${gets.join(' ')};
      return !getter || !keys.some((key) => hasProxiedGetter(object, key));
    };`;
  const parameters = ['keys', 'lookupGetter', 'hasProxiedGetter'];
  return compileFunction(source, parameters)(ownKeys, lookupGetter, hasProxiedGetter) as Matcher;
}

function compileJson(shape: CompiledShape): CompiledWriter {
  return compile(shape, ({ text, json }) => {
    const whole = (value: string) => bytesCode(new Constant(`${JSON.stringify(text)}:${value},`));
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

function compileXml(shape: CompiledShape): CompiledWriter {
  return compile(shape, ({ xmlName, xmlOpen, xmlClose, xmlEmpty }) => {
    const whole = (value: string) => bytesCode(new Constant(`<${xmlName}>${value}</${xmlName}>`));
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
function compile(shape: CompiledShape, codeOf: (key: EncodedKey) => PropertyCode): CompiledWriter {
  const properties = shape.encodedKeys.map((encoded, index) => {
    const code = codeOf(encoded);
    const key = JSON.stringify(encoded.text);
    const body = isSecretKey(encoded.text) ? maskedCode(key, code) : propertyCode(key, index, code);
    return `case ${index}: ${body}`;
  });
  const source = `
    return function write(writer, object, from, entryKey) {
      let value;
      let view;
      let position;
      switch (from) {
        ${properties.join('\n')}
      }
      return writer.closeObject(entryKey);
    };`;
  return compileFunction(source, ['shape', 'encodedKeys', 'caches', 'isLittleEndian'])(
    shape,
    shape.encodedKeys,
    shape.caches,
    isLittleEndian,
  ) as CompiledWriter;
}

function maskedCode(key: string, { masked }: PropertyCode): string {
  return `if (writer.isShown(object, ${key})) { ${masked} }`;
}

function propertyCode(key: string, index: number, code: PropertyCode): string {
  return `
    try { value = object[${key}]; } catch (error) { value = writer.threw(error); }
    if (typeof value === 'string') { ${code.text} }
    else if (typeof value === 'number') { ${code.number} }
    else if (value === null) { ${code.null} }
    else if (typeof value === 'object') {
      if (!writer.enter(value, caches[${index}], encodedKeys[${index}])) {
        writer.save(shape, object, ${index + 1}, entryKey);
        return false;
      }
    }
    else if (value === true) { ${code.true} }
    else if (value === false) { ${code.false} }
    else if (value === undefined) { if (writer.isShown(object, ${key})) { ${code.null} } }
    else if (typeof value !== 'function') writer.otherPrimitive(value, encodedKeys[${index}]);`;
}

/** Code that writes constant bytes, eight at a time; what it writes past their end is overwritten by what follows. */
function bytesCode({ words, length }: Constant): string {
  const stores = [...words].map((word, index) => `view.setFloat64(position + ${index * 8}, ${word}, isLittleEndian);`);
  return `view = writer.view; position = writer.position; ${stores.join(' ')} writer.position = position + ${length};`;
}
