import type { Readable } from 'node:stream';
import { BeanProblem } from './problem.ts';
import type { InspectionRequest } from './request.ts';

/** How many bytes of a body are read. */
export const largestBody = 64 * 1024;

/** The body of a POST as text, also where a body parser of the framework has read it before. */
export async function readBody({ raw }: Pick<InspectionRequest, 'raw'>): Promise<string> {
  if (Number(raw.headers['content-length'] ?? 0) > largestBody) throw tooLarge();
  const unread = raw.unreadBody();
  if (unread !== undefined) return readAll(unread);
  const parsed = raw.parsedBody();
  if (parsed === undefined) {
    const detail = 'Something that comes before has read the body; mount bean inspection before body parsers.';
    throw new BeanProblem(400, detail);
  }
  const text = unparsed(parsed, raw.headers['content-type']);
  if (Buffer.byteLength(text) > largestBody) throw tooLarge();
  return text;
}

/** What is sent without a type is taken for a form. */
const fieldTypes: ReadonlySet<string> = new Set(['', 'application/json', 'application/x-www-form-urlencoded']);

/** The fields of a body: a form, or an object as JSON. */
export async function readFields(request: InspectionRequest): Promise<URLSearchParams> {
  const body = await readBody(request);
  const [mediaType = ''] = (request.raw.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  if (body !== '' && !fieldTypes.has(mediaType.trim()))
    throw new BeanProblem(415, 'The body must be a form, or an object as JSON.');
  if (body === '' || mediaType.trim() !== 'application/json') return new URLSearchParams(body);
  try {
    const given: unknown = JSON.parse(body);
    if (typeof given === 'object' && given !== null)
      return new URLSearchParams(Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]));
  } catch {
    // Said below.
  }
  throw new BeanProblem(400, 'The body must be an object as JSON, or a form.');
}

/** By events, since iterating over a request costs as much as the rest of a small answer. */
function readAll(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const read = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) {
        chunks.push(chunk);
        return;
      }
      // The rest flows on and is dropped, as Node does with a body that nobody reads: a client that still sends would get a reset in place of the answer.
      body.off('data', read).resume();
      reject(tooLarge());
    };
    body.on('data', read);
    // Of a client that has left, nothing more comes.
    const leave = () => reject(new BeanProblem(400, 'The body is incomplete.'));
    body.once('error', leave).once('close', leave);
    body.once('end', () => {
      // Every request is closed in the end, and a problem with its stack costs as much as to read a small bean.
      body.off('close', leave);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** What a parser made of the body, as the text that it was made of, or one that means the same. */
function unparsed(parsed: unknown, contentType = ''): string {
  if (typeof parsed === 'string') return parsed;
  if (Buffer.isBuffer(parsed)) return parsed.toString();
  const isForm = contentType.toLowerCase().startsWith('application/x-www-form-urlencoded');
  if (!isForm || typeof parsed !== 'object' || parsed === null) return JSON.stringify(parsed) ?? '';
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(parsed)) {
    for (const each of [value].flat()) fields.append(name, String(each));
  }
  return fields.toString();
}

function tooLarge(): BeanProblem {
  return new BeanProblem(413, `A body may have ${largestBody / 1024} KiB.`);
}
