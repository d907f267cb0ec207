/** Something of the form of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What zod, Valibot and ArkType offer: https://standardschema.dev/json-schema */
interface StandardJsonSchema {
  readonly '~standard': { readonly jsonSchema?: Readonly<Record<'input' | 'output', (options: object) => unknown>> };
}

const isStandard = (value: JsonSchema): value is JsonSchema & StandardJsonSchema => isObject(value['~standard']);

/**
 * A schema of a route as plain JSON Schema: itself, or what a library of validators makes of its own. Undefined if it cannot be had, since
 * then nothing is described rather than something wrong.
 */
export function toJsonSchema(schema: unknown, direction: 'input' | 'output'): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  try {
    const plain: unknown = isStandard(schema)
      ? schema['~standard'].jsonSchema?.[direction]({ target: 'draft-2020-12' })
      : isPlain(schema) && schema;
    // Without symbols, functions and cycles.
    return isObject(plain) ? JSON.parse(JSON.stringify(plain)) : undefined;
  } catch {
    return undefined;
  }
}

/** TypeBox marks plain objects by symbols; other libraries have classes of their own. */
const isPlain = (schema: object) => [Object.prototype, null].includes(Object.getPrototypeOf(schema));

/** The schemas that `components/schemas` of an OpenAPI document holds, and the references to them. */
export class SharedSchemas {
  readonly #byName = new Map<string, JsonSchema>();
  /** The texts of the schemas before their references were changed, to find equal ones. */
  readonly #sources = new Map<string, string>();

  constructor(own: Readonly<Record<string, JsonSchema>>) {
    for (const [name, schema] of Object.entries(own)) this.#byName.set(name, schema);
  }

  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#byName);
  }

  /**
   * The schema with references that hold in the document. One that refers to itself is put among the shared ones, under the given name.
   * @param known the schemas that the plugin of the route has by `addSchema`
   */
  place(schema: JsonSchema, name: string, known: JsonSchema): JsonSchema {
    const { $schema: _, $id, ...rest } = schema;
    if (!refersToItself(rest)) return this.#resolved(rest, '', known);
    return { $ref: this.#share(typeof $id === 'string' ? $id : name, rest, known) };
  }

  #share(id: string, schema: JsonSchema, known: JsonSchema): string {
    const source = JSON.stringify(schema);
    const base = id.replace(/[^\w.-]+/g, '-').replace(/^-|-$/g, '') || 'schema';
    let name = base;
    // Plugins may have different schemas of the same name.
    for (let count = 2; this.#byName.has(name) && this.#sources.get(name) !== source; count++) name = `${base}${count}`;
    const reference = `#/components/schemas/${name}`;
    if (this.#byName.has(name)) return reference;
    this.#sources.set(name, source);
    // Before its content, which may refer to it.
    this.#byName.set(name, {});
    this.#byName.set(name, this.#resolved(schema, reference, known));
    return reference;
  }

  #resolved(schema: JsonSchema, base: string, known: JsonSchema): JsonSchema {
    const entries = Object.entries(schema).map(([key, value]) => {
      if (key === '$ref' && typeof value === 'string') return [key, this.#reference(value, base, known)];
      return [key, this.#resolvedValue(value, base, known)];
    });
    return Object.fromEntries(entries);
  }

  #resolvedValue(value: unknown, base: string, known: JsonSchema): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#resolvedValue(item, base, known));
    return isObject(value) ? this.#resolved(value, base, known) : value;
  }

  #reference(reference: string, base: string, known: JsonSchema): string {
    const [id = '', pointer = ''] = reference.split('#', 2);
    if (id === '') return `${base}${pointer}`;
    const shared = toJsonSchema(known[id], 'input');
    if (shared === undefined) return reference;
    const { $schema: _, $id: _id, ...rest } = shared;
    return `${this.#share(id, rest, known)}${pointer}`;
  }
}

function refersToItself(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(refersToItself);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, each]) =>
    key === '$ref' ? typeof each === 'string' && each.startsWith('#') : refersToItself(each),
  );
}

/** The properties of an object schema, for parts of a request that OpenAPI describes one by one; a reference is followed once. */
export function propertiesOf(
  schema: JsonSchema,
  known: JsonSchema,
): readonly { readonly name: string; readonly schema: JsonSchema; readonly isRequired: boolean }[] {
  const [id = ''] = typeof schema.$ref === 'string' ? schema.$ref.split('#') : [];
  const { properties, required } = (id === '' ? schema : toJsonSchema(known[id], 'input')) ?? schema;
  const names = new Set(Array.isArray(required) ? required : []);
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, each]) =>
    isObject(each) ? [{ name, schema: each, isRequired: names.has(name) }] : [],
  );
}
