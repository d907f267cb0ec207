/** The little of JSON Schema that describes the arguments of our tools. */
export interface ToolSchema {
  readonly type: 'object';
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
}

export type ArgumentSchema = { readonly description?: string } & (
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength: number }
  | { readonly type: 'string'; readonly enum: readonly string[] }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean' }
);

/** The schema of a tool that takes these arguments and no others. */
export const takes = (
  properties: Readonly<Record<string, ArgumentSchema>>,
  ...required: readonly string[]
): ToolSchema => ({
  type: 'object',
  additionalProperties: false,
  ...(required.length > 0 && { required }),
  properties,
});

export const integer = (minimum: number, maximum: number, description: string): ArgumentSchema => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});

/** What is wrong with the arguments of a call, for the model that made it; undefined when nothing is. */
export function argumentProblem(given: Readonly<Record<string, unknown>>, schema: ToolSchema): string | undefined {
  const { properties = {}, required = [] } = schema;
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is needed.`;
  for (const name of Object.keys(given)) {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (described === undefined) return unknownArgument(Object.keys(properties));
    const expected = violated(given[name], described);
    if (expected !== undefined) return `The argument ${name} must be ${expected}.`;
  }
  return undefined;
}

function unknownArgument(names: readonly string[]): string {
  if (names.length === 0) return 'This tool takes no arguments.';
  return `This tool takes only the arguments ${names.join(', ')}.`;
}

/** What a value should be and is not. */
function violated(value: unknown, described: ArgumentSchema): string | undefined {
  if (described.type === 'integer') {
    const { minimum, maximum } = described;
    const fits = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    return fits ? undefined : `a whole number from ${minimum} to ${maximum}`;
  }
  if (described.type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false';
  if ('enum' in described)
    return described.enum.some((allowed) => allowed === value) ? undefined : `one of ${described.enum.join(', ')}`;
  const { minLength = 0, maxLength } = described;
  const fits = typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
  return fits ? undefined : `a text of ${minLength} to ${maxLength} characters`;
}
