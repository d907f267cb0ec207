import { Problem, type ProblemForm } from '@jig/application';
import { isCrossSite, isForThisMachine, isFromThisMachine } from '@jig/application/internal';
import type { FastifyRequest } from 'fastify';
import type { InspectionSettings } from '../settings.ts';
import { BeanFilter } from './bean-filter.ts';
import { Token } from './token.ts';

const challenge = 'Bearer realm="beans", Basic realm="beans", charset="UTF-8"';

/** Who may look at which beans. Every refusal says how to allow what was asked for. */
export class Access {
  readonly #token: Token | undefined;
  readonly #hosts: ReadonlySet<string>;
  readonly #filter: BeanFilter;

  constructor(settings: Pick<InspectionSettings, 'token' | 'hosts' | 'allow' | 'deny'>) {
    this.#token = settings.token === undefined ? undefined : new Token(settings.token);
    this.#hosts = new Set(settings.hosts.map((host) => host.toLowerCase()));
    this.#filter = new BeanFilter(settings);
  }

  /** Throws unless the sender of the request may look at beans at all. */
  check(request: FastifyRequest, form?: ProblemForm): void {
    this.#checkHost(request, form);
    if (isCrossSite(request))
      throw refusal('Beans are not shown to pages of other sites; open the address itself in the browser.', form);
    if (this.#token === undefined) this.#checkClient(request, form);
    else this.#checkToken(this.#token, request, form);
  }

  isOpen(bean: string): boolean {
    return this.#filter.isOpen(bean);
  }

  checkBean(bean: string, form?: ProblemForm): void {
    if (!this.isOpen(bean)) {
      throw refusal(
        'This bean is closed; beanInspection.allow and beanInspection.deny in the configuration say which are.',
        form,
      );
    }
  }

  #checkHost(request: FastifyRequest, form?: ProblemForm): void {
    if (isForThisMachine(request, this.#hosts)) return;
    throw refusal(
      'Beans are not shown under this host name; add it to beanInspection.hosts in the configuration, or use localhost.',
      form,
    );
  }

  #checkClient(request: FastifyRequest, form?: ProblemForm): void {
    if (isFromThisMachine(request)) return;
    throw refusal(
      'Beans are shown on this machine only, over localhost and not through a proxy; configure beanInspection.token to look from elsewhere.',
      form,
    );
  }

  #checkToken(token: Token, { headers }: FastifyRequest, form?: ProblemForm): void {
    if (token.isIn(headers.authorization)) return;
    throw new Problem(401, {
      detail:
        'This needs the token in beanInspection.token: as Authorization: Bearer, or as the password of Basic with any name.',
      headers: { 'www-authenticate': challenge },
      ...formOf(form),
    });
  }
}

function refusal(detail: string, form: ProblemForm | undefined): Problem {
  return new Problem(403, { detail, ...formOf(form) });
}

function formOf(form: ProblemForm | undefined): { form?: ProblemForm } {
  return form === undefined ? {} : { form };
}
