import { joinUpTo } from '@jig/inspect/internal';
import { createdPage, listAnswer, searchAnswer } from '../browser/browser-answers.ts';
import { beanLink } from '../browser/links.ts';
import type { Call } from '../handle.ts';
import { type Answer, type Awaitable, documentAnswer, events, redirect } from '../http/answer.ts';
import {
  type beanDocumentParameters,
  type beanParameters,
  type listParameters,
  type ParameterValues,
  queryOf,
  streamKey,
} from '../http/parameters.ts';
import { BeanProblem, notFound } from '../http/problem.ts';
import { wantsStream } from '../http/request.ts';
import type { BeanValue } from '../sources/bean-source.ts';
import { listDocument, listWithLines } from './bean-list.ts';
import { findBeans } from './bean-search.ts';
import type { DocumentForm } from './look.ts';

type ListQuery = ParameterValues<typeof listParameters>;
type BeanQuery = ParameterValues<typeof beanParameters>;
type DocumentQuery = ParameterValues<typeof beanDocumentParameters>;

/** The list, or a search in all beans. */
export async function answerBeans(call: Call, { find, inside, q, ...asked }: ListQuery): Promise<Answer> {
  const { mount, request, form } = call;
  // The search field of the list has a second button, which sends `inside`.
  const text = inside ? (q ?? '').trim() || undefined : find;
  if (form === 'html') return text === undefined ? listAnswer(call) : searchAnswer(call, text);
  const shown =
    text === undefined
      ? listDocument((await listWithLines(mount, request.prefix)).beans)
      : await findBeans(mount, text, request.raw.signal);
  return documentAnswer(mount.look.ours(shown, form, asked), form, request.raw.signal);
}

/** A bean as JSON, or as an event stream of its changes. */
export function answerBeanAsJson(call: Call, asked: BeanQuery): Awaitable<Answer> {
  return wantsStream(call.request.raw) ? documentStream(call, asked).then(events) : answerBean(call, asked, 'json');
}

export function answerBeanAsXml(call: Call, asked: DocumentQuery): Awaitable<Answer> {
  if (queryOf(call.request.url).has('glance')) throw new BeanProblem(400, 'glance comes as JSON only.');
  return answerBean(call, asked, 'xml');
}

function answerBean({ mount, request, name }: Call, asked: DocumentQuery, form: DocumentForm): Awaitable<Answer> {
  const show = ({ value }: BeanValue) => documentAnswer(mount.look.bean(value, form, asked), form, request.raw.signal);
  const found = mount.beans.get(name, request);
  return found instanceof Promise ? found.then(show) : show(found);
}

/** The limit for one document in a stream. */
const maxStreamedBytes = 1024 * 1024;

/** The whole document whenever it changes. */
async function documentStream({ mount, request, name }: Call, asked: BeanQuery): Promise<AsyncIterable<string>> {
  const bean = await mount.beans.follow(name, request);
  return mount.streams.watch<string>(
    {
      key: JSON.stringify(['json', bean.key, streamKey(asked)]),
      everyMs: asked.every * 1000,
      async read() {
        const whole = await joinUpTo(mount.look.bean(bean.value(), 'json', asked).chunks(), maxStreamedBytes);
        if (whole !== undefined) return whole.toString();
        throw new BeanProblem(400, 'This is too much for a stream; narrow it by at, depth and limit.');
      },
      data: (next) => next,
    },
    request.raw,
  );
}

/** A name without an extension redirects browsers to the page. */
export function redirectToBeanPage({ request, name, form }: Call): Answer {
  if (form === 'html') return redirect(beanLink(request.prefix, name, 'html'));
  throw notFound('add .json, .xml or .html to the name');
}

/** Creates a bean and shows it, or fetches one of its readings. */
export async function answerPost(
  call: Call,
  { ask, ...asked }: DocumentQuery & { readonly ask: string | undefined },
): Promise<Answer> {
  const { mount, request, name, form } = call;
  if (ask !== undefined) return askReading(call, ask);
  if (form === 'html') return createdPage(call);
  const exists = typeof mount.beans.find(name) === 'object';
  const { value } = await mount.beans.get(name, request, 'onRead');
  return documentAnswer(mount.look.bean(value, form, asked), form, request.raw.signal, exists ? 200 : 201);
}

async function askReading({ mount, request, name, form }: Call, reading: string): Promise<Answer> {
  const { value } = await mount.beans.get(name, request, 'explicit');
  const answer = await mount.look.ask(value, reading);
  // The page shows the fault itself.
  if (form === 'html') return redirect(`${beanLink(request.prefix, name, 'html')}#glance`);
  if (answer.fault === undefined) return documentAnswer(mount.look.ours(answer, form), form, request.raw.signal);
  const detail = `This could not be read: ${answer.fault}.`;
  throw new BeanProblem(503, detail, { cause: new Error(detail), title: 'Not read' });
}
