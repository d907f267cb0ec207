import { createRequire } from 'node:module';
import type { IntlMessageFormat } from 'intl-messageformat';
import { BoundedCache } from '../bounded-cache.ts';

export type MessageArgument = string | number | bigint | Date;
export type MessageArguments = Readonly<Record<string, MessageArgument>>;

interface MessageElement {
  readonly type: number;
  readonly value?: unknown;
  readonly options?: Readonly<Record<string, { readonly value: readonly MessageElement[] }>>;
}

// The two kinds of element that name no argument, in the numbering of @formatjs/icu-messageformat-parser.
const literal = 0;
const pound = 7;

// An apostrophe quotes only before a brace, a bracket or another apostrophe.
const simpleArgumentsOnly = /^(?:[^{}']|'(?!['{}<>])|\{\w+\})*$/;
const simpleArgument = /\{(\w+)\}/g;

let loaded: typeof IntlMessageFormat | undefined;

/** Formats ICU messages and caches the formatters, which are slow to create. */
export class MessageFormatter {
  readonly #formats: BoundedCache<IntlMessageFormat>;

  constructor(capacity = 500) {
    this.#formats = new BoundedCache(capacity);
  }

  /** Throws when the text is no ICU message, or when an argument is missing or of the wrong kind. */
  format(locale: string, text: string, values: MessageArguments): string {
    if (simpleArgumentsOnly.test(text)) {
      // A plain {argument} needs no parser, whose loading takes 25 ms.
      return text.replace(simpleArgument, (_, name: string) => String(argument(values, name)));
    }
    const format = this.#formats.getOrCreate(`${locale} ${text}`, () => parseMessage(locale, text));
    return String(format.format(values));
  }
}

/** The names of the arguments that a message takes, sorted. Throws when the text is no ICU message. */
export function argumentNames(locale: string, text: string): string[] {
  const names = new Set<string>();
  const collect = (elements: readonly MessageElement[]): void => {
    for (const { type, value, options } of elements) {
      if (type !== literal && type !== pound) names.add(String(value));
      for (const option of Object.values(options ?? {})) collect(option.value);
    }
  };
  collect(parseMessage(locale, text).getAst());
  return [...names].sort();
}

function parseMessage(locale: string, text: string): IntlMessageFormat {
  // Messages hold no markup, so "<" is an ordinary character.
  return new (messageFormat())(text, locale, undefined, { ignoreTag: true });
}

function messageFormat(): typeof IntlMessageFormat {
  loaded ??= (createRequire(import.meta.url)('intl-messageformat') as typeof import('intl-messageformat'))
    .IntlMessageFormat;
  return loaded;
}

function argument(values: MessageArguments, name: string): MessageArgument {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`the argument ${name} is missing`);
  return value;
}
