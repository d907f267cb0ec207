import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { createSerializerFactory, createValidatorFactory } from '../commonjs-dependencies.ts';

/** The compilers that Fastify itself uses, but loaded by the first route that has a schema: they take a fifth of a start. */
export function lazyCompilers(): { buildValidator: BuildCompilerFromPool; buildSerializer: SerializerFactory } {
  let validators: BuildCompilerFromPool | undefined;
  let serializers: SerializerFactory | undefined;
  return {
    buildValidator(schemas, options) {
      validators ??= createValidatorFactory();
      const compile = validators(schemas, options);
      // Fastify does this only for the compilers that it has loaded itself.
      return (route) => compile(isHeaders(route) ? { ...route, schema: withLowerCaseNames(route.schema) } : route);
    },
    buildSerializer(schemas, options) {
      serializers ??= createSerializerFactory();
      return serializers(schemas, options);
    },
  };
}

interface HeadersRoute {
  readonly httpPart: 'headers';
  readonly schema: object;
}

function isHeaders(route: unknown): route is HeadersRoute {
  const { httpPart, schema } = route as { readonly httpPart?: unknown; readonly schema?: unknown };
  return httpPart === 'headers' && isPlainObject(schema);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Keywords whose keys are names of headers. */
const namedByHeaders = new Set(['properties', 'dependencies', 'dependentSchemas', 'dependentRequired']);
/** Keywords whose keys are other names, with a schema each. */
const namedSchemas = new Set(['definitions', '$defs', 'patternProperties']);
/** Keywords that hold values, not schemas. */
const values = new Set(['enum', 'const', 'default', 'examples']);

/** Node gives headers in lower case, so that a schema has to name them in lower case too. */
export function withLowerCaseNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLowerCaseNames);
  if (!isPlainObject(schema)) return schema;
  const entries = Object.entries(schema).map(([keyword, value]) => [keyword, inLowerCase(keyword, value)]);
  return Object.fromEntries(entries);
}

function inLowerCase(keyword: string, value: unknown): unknown {
  if (values.has(keyword)) return value;
  if (keyword === 'required') return lowerCaseTexts(value);
  if (!isPlainObject(value)) return withLowerCaseNames(value);
  if (!namedByHeaders.has(keyword) && !namedSchemas.has(keyword)) return withLowerCaseNames(value);
  const renamed = Object.entries(value).map(([name, each]) => [
    namedByHeaders.has(keyword) ? name.toLowerCase() : name,
    // The names that another header demands, or a schema.
    namedByHeaders.has(keyword) && Array.isArray(each) ? lowerCaseTexts(each) : withLowerCaseNames(each),
  ]);
  return Object.fromEntries(renamed);
}

const lowerCaseTexts = (value: unknown) =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? each.toLowerCase() : each)) : value;
