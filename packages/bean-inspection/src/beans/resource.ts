import type { Address } from '../http/address.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import type { ProblemForm } from '../http/problem.ts';
import type { Instance } from '../instances/instance.ts';
import type { Instances } from '../instances/instances.ts';
import type { BeanController, BeanDocument } from './bean-controller.ts';

/** A page, with the policy that lets it have its own style and script. */
export interface PageAnswer {
  readonly page: string;
  readonly policy: string;
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Anything that is there as a whole: a picture, a style sheet, a small document. */
export interface BytesAnswer {
  readonly bytes: Buffer | string;
  readonly mediaType: string;
  /** 200 by default. */
  readonly status?: number;
  /** The reason phrase, where it differs from the standard one. */
  readonly reason?: string | undefined;
  /** Among them may be `cache-control`, which is `no-store` otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A document, of which only the bytes matter. */
export interface WrittenDocument extends Omit<BeanDocument, 'inspection'> {
  readonly inspection: Pick<BeanDocument['inspection'], 'truncated' | 'wholeOrChunks'>;
}

/** Where a client is to look after a POST, with 303. */
export interface RedirectAnswer {
  readonly redirect: string;
}

export interface StreamAnswer {
  readonly stream: EventStream;
}

/** What a request is answered with, for a mount to send; a problem is thrown in place of it. */
export type Answer = (WrittenDocument | PageAnswer | BytesAnswer | RedirectAnswer | StreamAnswer) & {
  /** The instance that gave it, if not this one. */
  readonly instance?: string;
};

/** A request for a resource. Whoever sent it may look at beans: that is checked before. */
export interface ResourceCall<Context = unknown> {
  readonly controller: BeanController<Context>;
  readonly request: InspectionRequest<Context>;
  readonly address: Address;
  /** The form of a problem: by the extension, or by what the client prefers. */
  readonly form: ProblemForm;
  readonly instances: Instances;
  /** The other instances, where the answer may be a page. */
  readonly others: readonly Instance[];
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** Something that has addresses below the prefix. `resources.ts` lists all. */
export interface Resource {
  /** HEAD goes with GET. */
  readonly methods: readonly Method[];
  /** Those of one address, where not all have the same. */
  methodsAt?<Context>(address: Address, controller: BeanController<Context>): readonly Method[];
  /** Whether the answer of an address without an extension depends on what the client accepts. */
  readonly isNegotiated?: boolean;
  answer<Context>(call: ResourceCall<Context>): Answer | Promise<Answer>;
}
