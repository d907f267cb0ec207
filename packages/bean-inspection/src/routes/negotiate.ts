/** The forms that the list of beans comes in, the one for those without a wish first. */
export type IndexForm = 'json' | 'xml' | 'html';

const formsByType: ReadonlyMap<string, IndexForm> = new Map([
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['text/html', 'html'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ['text/*', 'html'],
]);

/** The form that an `Accept` header prefers (RFC 9110, section 12.5.1); the first of the best, JSON when none is named. */
export function preferredForm(accept = '*/*'): IndexForm {
  let best: IndexForm = 'json';
  let bestWeight = 0;
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const form = formsByType.get(type);
    const weight = weightOf(parameters);
    if (form === undefined || weight <= bestWeight) continue;
    best = form;
    bestWeight = weight;
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
