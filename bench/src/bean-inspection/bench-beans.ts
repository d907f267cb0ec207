import { Masking } from '@jig/inspect';

/** A bean, and the plain data from which `JSON.stringify` writes the same document. */
export interface BenchBean {
  readonly name: string;
  readonly bean: unknown;
  readonly plain: unknown;
  /** The targets of JSON and XML. */
  readonly json: readonly [speed: number, aim: number];
  readonly xml: readonly [speed: number, aim: number];
}

/** Masking as in the service: by key, in URLs, and by the values of a few secrets. */
export const masking = new Masking({
  secrets: ['0123456789abcdef0123456789abcdef', 'a-database-password', 'a-token-of-some-length'],
});

const tiny = {
  id: 17,
  name: 'clock',
  type: 'Clock',
  scope: 'singleton',
  owner: '@jig/clock',
  started: true,
  expiration: 1577185199000,
  ratio: 0.25,
  note: null,
  path: '/clock/time',
};

/** 20 sections of 14 settings, each a value or a value with its origin: 300 nodes. */
function configuration(): object {
  const setting = (section: number, key: number) => {
    if (key % 7 === 0) return { value: key * section, origin: 'default' };
    if (key % 3 === 0) return `value of ${section}/${key}`;
    return key % 3 === 1 ? key * 1000 + section : key % 2 === 0;
  };
  const settings = (section: number) =>
    Object.fromEntries(Array.from({ length: 14 }, (_, key) => [`setting${key}`, setting(section, key)]));
  return Object.fromEntries(Array.from({ length: 20 }, (_, section) => [`section${section}`, settings(section)]));
}

class Instance {
  readonly id: number;
  readonly #number: number;

  constructor(number: number) {
    this.id = number;
    this.#number = number;
  }

  get name(): string {
    return `instance ${this.#number}`;
  }

  get double(): number {
    return this.#number * 2;
  }

  get isEven(): boolean {
    return this.#number % 2 === 0;
  }

  get tags(): readonly string[] {
    return ['a', 'b'];
  }
}

const device = (number: number) => ({
  expiration: 1577185199000 + number,
  location: `http://192.168.0.${number % 250}/description.xml`,
  usn: `uuid:0000-${number}`,
  params: {},
  entity: null,
});

export function benchBeans(): readonly BenchBean[] {
  const instances = Array.from({ length: 2000 }, (_, number) => new Instance(number));
  const plainInstances = instances.map(({ id, name, double, isEven, tags }) => ({ id, name, double, isEven, tags }));
  const entries = Array.from({ length: 100_000 }, (_, number) => {
    const uuid = `uuid:00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
    return [uuid, device(number)] as const;
  });
  const settings = configuration();
  return [
    { name: 'tiny, 10 fields', bean: tiny, plain: tiny, json: [0.7, 1.3], xml: [0.8, 1.2] },
    { name: 'configuration, 300 nodes', bean: settings, plain: settings, json: [0.6, 1], xml: [0.5, 0.7] },
    {
      name: '2,000 instances with getters',
      bean: instances,
      plain: plainInstances,
      json: [0.7, 1.2],
      xml: [0.65, 1.1],
    },
    {
      name: 'Map of 100,000 objects',
      bean: new Map(entries),
      plain: Object.fromEntries(entries),
      json: [0.85, 1.4],
      xml: [0.8, 1.3],
    },
  ];
}
