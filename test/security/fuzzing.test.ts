import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/exchange.ts';
import { type RunningService, startService, withoutDatabase } from '../support/start-service.ts';
import {
  allowedRequest,
  anyRequest,
  forbiddenRequests,
  formOf,
  type MadeRequest,
  type OpenApi,
  operationsOf,
} from './requests-from-openapi.ts';

/** `TEST_SEED=… npx vitest run --project security fuzzing` does again what a run did. */
const seed = Number(process.env.TEST_SEED ?? Date.now() % 2 ** 31);
const requestsPerRun = 480;
/** Keeping a snapshot takes more than a second, so that some are asked at the same time. */
const width = 24;

let service: RunningService;
let api: OpenApi;

beforeAll(async () => {
  service = await startService({ environment: withoutDatabase });
  api = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
});

afterAll(() => service.stop());

/** Answers that any address may give, to what is no request for it. */
const toAnything = new Set([400, 404, 405, 406, 408, 413, 414, 415, 417, 431]);
const leak =
  /node_modules|\bat (?:[^()]+ \()?(?:file:|node:|\/)\S*:\d+:\d+|\/(?:home|root|srv|work)\/|"stack"|FST_|TypeError|ENOENT/;

const answerTo = ({ line, headers, body }: MadeRequest) => request(service.url, line, headers, body);

async function judge(made: MadeRequest): Promise<void> {
  const answer = await answerTo(made);
  const { line, operation, isBroken } = made;
  const { status } = answer;
  const described = Object.keys(operation.responses).map(Number);
  const isForeseen = described.includes(status) || (isBroken && toAnything.has(status));
  if (!isForeseen || status >= 500) throw new Error(`${line} was answered ${status}, which is not described`);
  // What beans hold is shown on purpose, paths of the machine too.
  const showsBeans = status === 200 && /^\w+ \/jig\//.test(line);
  if (!showsBeans && leak.test(answer.raw))
    throw new Error(`${line} was answered with something of the inside:\n${answer.raw}`);
  if (line.startsWith('HEAD ') && answer.body !== '') throw new Error(`${line} has a body`);
  const type = answer.headers.get('content-type')?.split(';')[0];
  const types = Object.keys(operation.responses[status]?.content ?? {});
  const isTyped = types.length === 0 || types.includes('*/*') || types.includes(type ?? '');
  // Errors come as JSON, as XML where XML was asked for, or as a page for a browser.
  const isProblem = status >= 400 && /^application\/problem\+(?:json|xml)$|^text\/html$/.test(type ?? '');
  if (!isTyped && !isProblem) throw new Error(`${line} was answered ${status} as ${type}, which is not described`);
  if (type?.endsWith('json') && !line.startsWith('HEAD ') && answer.headers.has('content-length'))
    JSON.parse(answer.body);
}

async function beanNames(): Promise<readonly string[]> {
  const { beans } = (await (await fetch(`${service.url}/jig/bean.json`)).json()) as { beans: { name: string }[] };
  return beans.map(({ name }) => name);
}

async function assertAll<Request>(requests: fc.Arbitrary<Request>, check: (one: Request) => Promise<void>) {
  const rounds = fc.array(requests, { minLength: width, maxLength: width });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => void (await Promise.all(all.map(check)))),
    { seed, numRuns: requestsPerRun / width, endOnFailure: true, interruptAfterTimeLimit: 180_000 },
  );
}

describe(`requests made from /openapi.json (seed ${seed})`, () => {
  it('get a documented response for any content', async () => {
    const operations = operationsOf(api);
    expect(operations.length).toBeGreaterThan(15);
    await assertAll(anyRequest(operations), judge);
  });

  it('are accepted when the description allows their content', async () => {
    const beans = await beanNames();
    // What is not sent as a form has tests of its own; of a value to watch, no schema can say that it needs one of two parameters.
    const operations = operationsOf(api).filter(
      (operation) =>
        (operation.requestBody === undefined || formOf(operation) !== undefined) && !operation.path.includes('/watch'),
    );
    const requests = fc.constantFrom(...operations).chain((operation) => allowedRequest(operation, beans));
    await assertAll(requests, async (described) => {
      const { status } = await answerTo(described);
      // What is not there, not there yet, or not in a coding that is accepted, is no fault of the request.
      const isRefused = status >= 400 && ![404, 406, 409].includes(status);
      if (isRefused) throw new Error(`${described.line} is allowed, and was answered ${status}`);
    });
  });

  it('are refused when the description forbids some of their content', async () => {
    const beans = await beanNames();
    const kinds = operationsOf(api).flatMap((operation) => forbiddenRequests(operation, beans));
    expect(kinds.length).toBeGreaterThan(40);
    await assertAll(fc.oneof(...kinds), async (described) => {
      const { status } = await answerTo(described);
      const { line, forbidden } = described;
      if (![400, 413, 415].includes(status)) throw new Error(`${line} was answered ${status} with ${forbidden}`);
    });
  });

  it('do not change the state of the service', async () => {
    expect(service.process.exitCode).toBeNull();
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(service.output()).not.toMatch(/"level":(?:50|60)/);
  });
});
