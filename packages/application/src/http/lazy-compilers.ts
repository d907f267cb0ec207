import type { BuildCompilerFromPool } from '@fastify/ajv-compiler';
import type { SerializerFactory } from '@fastify/fast-json-stringify-compiler';
import { loadSerializerCompiler, loadValidatorCompiler } from '../commonjs.ts';

let buildValidator: BuildCompilerFromPool | undefined;
let buildSerializer: SerializerFactory | undefined;

/** Fastify's own compilers of schemas, loaded by the first route that needs one. */
export const lazyCompilers: { buildValidator: BuildCompilerFromPool; buildSerializer: SerializerFactory } = {
  buildValidator(schemas, options) {
    buildValidator ??= loadValidatorCompiler()();
    const compile = buildValidator(schemas, options);
    // Fastify does this only for compilers that it has loaded itself.
    return (route) => compile(isHeaders(route) ? { ...route, schema: withLowerCaseNames(route.schema) } : route);
  },
  buildSerializer(schemas, options) {
    buildSerializer ??= loadSerializerCompiler()();
    return buildSerializer(schemas, options);
  },
};

/** Keywords whose keys are names of headers. */
const namedByHeaders = new Set(['properties', 'dependencies', 'dependentRequired', 'dependentSchemas']);

const isHeaders = (route: unknown): route is { readonly schema: unknown } =>
  (route as { readonly httpPart?: unknown }).httpPart === 'headers';

/** Node gives the names of headers in lower case, so the schema must too. */
function withLowerCaseNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withLowerCaseNames);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === 'required') return [keyword, lowerCase(value)];
    if (!namedByHeaders.has(keyword)) return [keyword, withLowerCaseNames(value)];
    const each = Object.entries(value as object).map(([name, rule]) => [
      name.toLowerCase(),
      Array.isArray(rule) ? lowerCase(rule) : withLowerCaseNames(rule),
    ]);
    return [keyword, Object.fromEntries(each)];
  });
  return Object.fromEntries(entries);
}

const lowerCase = (names: unknown) => (Array.isArray(names) ? names.map((name) => String(name).toLowerCase()) : names);
