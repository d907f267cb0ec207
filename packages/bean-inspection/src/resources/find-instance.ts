import type { ResourceCall } from '../beans/resource.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { passedHeader } from '../http/instance-headers.ts';
import type { Instance } from '../instances/instance.ts';

/** Whether another instance sent it. */
export const isPassed = ({ raw }: InspectionRequest) => raw.headers[passedHeader] !== undefined;

/** The instance of an id, or a sentence on which there are. */
export async function findInstance<Context>(call: ResourceCall<Context>, id: string): Promise<Instance | string> {
  const { request, instances } = call;
  // What was passed on over a socket is for the one that gets it, and what comes from another machine for this one.
  if (isPassed(request) && request.isFromUser === true) return instances.absence([]);
  return instances.find(id, { hasPeers: !isPassed(request) });
}
