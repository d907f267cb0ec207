import type { ServerResponse } from 'node:http';
import type { Inspectable } from '../sources/plain.ts';
import { type BeanInspectionOptions, Inspector } from './inspector.ts';
import { type MountedRequest, nodeRequest } from './node.ts';

export type { BeanInspectionOptions } from './inspector.ts';

/** A middleware, as Express and Connect take it. */
export type BeanInspectionMiddleware = (
  request: MountedRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/** The beans of a source in an Express application: `app.use(beanInspection({ pricing, orders }))`. */
export function beanInspection(
  source: Inspectable<MountedRequest>,
  options: BeanInspectionOptions = {},
): BeanInspectionMiddleware {
  const inspector = new Inspector(source, options, { contextOf: (request) => request });
  return inspector.exposeOn((request, response, next) => {
    const found = inspector.find(nodeRequest(request), request);
    if (found === undefined) next();
    else void inspector.send(found, response);
  });
}
