import type { Inspection } from '@jig/inspect';
import { joinUpTo } from '@jig/inspect/internal';
import type { BeanController } from '../beans/bean-controller.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem } from '../http/problem.ts';
import { beanParameters, streamKey } from '../http/query-parameters.ts';
import { streamsOf } from './live-streams.ts';

/** A document of a bean, as a stream: all of it whenever it differs. */
export async function documentStream<Context>(
  controller: BeanController<Context>,
  name: string,
  request: InspectionRequest<Context>,
): Promise<EventStream> {
  // What is wrong with the query is told for beans that there are, and before one is created.
  if (!controller.has(name)) throw controller.notFound(request, 'json');
  const options = controller.beanOptions(request.url, 'json');
  const bean = await controller.watched(name, 'json', request);
  return streamsOf(controller).watch<string>(
    {
      key: JSON.stringify(['json', bean.key, streamKey(beanParameters, options)]),
      everyMs: options.every * 1000,
      look() {
        const { masking, closed } = controller.documentOptions();
        return wholeText(
          controller.document(bean.value(), 'json', request, { ...options, masking, closed }).inspection,
        );
      },
      event: (next, previous) => (next === previous ? undefined : { data: next }),
    },
    'json',
  );
}

/** How much of a document is sent again and again. */
const longestStreamed = 1024 * 1024;

/** A document that is not too long to be sent again and again. */
async function wholeText(inspection: Inspection): Promise<string> {
  const whole = await joinUpTo(inspection.chunks(), longestStreamed);
  if (whole !== undefined) return whole.toString();
  throw new BeanProblem(400, 'This is too much for a stream; narrow it by at, depth and limit.', { form: 'json' });
}
