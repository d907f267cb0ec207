import type { BeanAddress } from './address.ts';
import type { BeanController, BeanDocument } from './bean-controller.ts';
import { preferredMediaType } from './media-type.ts';
import { BeanProblem, type ProblemForm } from './problem.ts';
import type { InspectionRequest } from './request-origin.ts';

/** What a request is answered with, for a mount to send: a document in chunks, or a page. */
export type BeanAnswer = BeanDocument | { readonly page: string };

/** The answer to a request, whatever it is mounted in; throws a problem in place of it. A promise only where a bean must be created first. */
export function answer<Context>(
  controller: BeanController<Context>,
  address: BeanAddress,
  request: InspectionRequest<Context>,
): BeanAnswer | Promise<BeanAnswer> {
  const { kind, form } = address;
  const { method } = request.raw;
  const problemForm = form ?? 'json';
  if (method !== 'GET' && method !== 'HEAD') {
    controller.check(request, form ?? pageOrJson(request));
    const headers = { allow: 'GET, HEAD' };
    throw new BeanProblem(405, 'This address takes only GET and HEAD.', { form: form ?? pageOrJson(request), headers });
  }
  if (kind === 'bean') return controller.bean(address.file, request);
  if (kind === 'list') {
    const listForm = form ?? controller.preferredForm(request);
    return listForm === 'html' ? { page: controller.indexPage(request) } : controller.index(listForm, request);
  }
  controller.check(request, problemForm);
  if (kind === 'unknown') throw controller.notFound(request, problemForm);
  throw new BeanProblem(400, 'The address is malformed.', { form: problemForm });
}

/** Browsers prefer pages to everything else; programs name something else, or accept anything. */
export const pageOrJson = ({ raw: { headers } }: InspectionRequest): ProblemForm =>
  preferredMediaType(headers.accept, ['application/json', 'text/html']) === 'text/html' ? 'html' : 'json';
