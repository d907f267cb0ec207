/** What a validator says of one mistake; Ajv, TypeBox and zod by their type providers. */
interface ValidatorError {
  readonly instancePath?: unknown;
  readonly message?: unknown;
  readonly params?: { readonly missingProperty?: unknown };
}

/** One mistake in a request, as a member of `errors` in a problem document. */
interface ValidationError {
  /** Which part of the request: `body`, `params`, `querystring` or `headers`. */
  readonly in?: string;
  /** A JSON Pointer (RFC 6901) to the value in that part, or to where it is missing. */
  readonly pointer: string;
  readonly message: string;
}

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function pointerTo({ instancePath, params }: ValidatorError): string {
  const path = typeof instancePath === 'string' ? instancePath : '';
  const missing = params?.missingProperty;
  return typeof missing === 'string' ? `${path}/${escapePointer(missing)}` : path;
}

/** The extension member `errors` of the problem for an error that Fastify made of a failed validation; empty for any other. */
export function validationErrors({
  validation,
  validationContext,
}: {
  readonly validation?: unknown;
  readonly validationContext?: unknown;
}): { readonly extensions?: { readonly errors: readonly ValidationError[] } } {
  if (!Array.isArray(validation)) return {};
  const place = typeof validationContext === 'string' ? { in: validationContext } : {};
  const errors = validation.map((error: ValidatorError | null) => ({
    ...place,
    pointer: pointerTo(error ?? {}),
    message: typeof error?.message === 'string' ? error.message : 'is not valid',
  }));
  return { extensions: { errors } };
}
