import { inspect, Masking } from '@jig/inspect';

export type BenchBean = ReturnType<typeof benchBeans>[number];

/** Masking as in the service: by key, in URLs, and by the values of a few secrets. */
export const secrets = ['0123456789abcdef0123456789abcdef', 'a-database-password', 'a-token-of-some-length'];
export const masking = new Masking({ secrets });

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

  constructor(id: number) {
    this.id = id;
  }

  get name(): string {
    return `instance ${this.id}`;
  }

  get double(): number {
    return this.id * 2;
  }

  get isEven(): boolean {
    return this.id % 2 === 0;
  }

  get tags(): readonly string[] {
    return ['a', 'b'];
  }
}

/** Announcements as in examples/discovery: small maps and dates within a map. */
function announcements(): Map<string, object> {
  const message = (uuid: string) => ({
    startLine: 'NOTIFY * HTTP/1.1',
    params: new Map(),
    entity: null,
    headers: new Map([
      ['HOST', '239.255.255.250:1900'],
      ['NT', 'upnp:rootdevice'],
      ['NTS', 'ssdp:alive'],
      ['USN', `${uuid}::upnp:rootdevice`],
      ['LOCATION', 'http://192.168.0.7:49152/description.xml'],
      ['CACHE-CONTROL', 'max-age=30'],
    ]),
  });
  const uuids = Array.from({ length: 12 }, (_, number) => `uuid:00000000-0000-0000-0000-${1e11 + number}`);
  return new Map(uuids.map((uuid) => [uuid, { expiration: new Date(1577185199000), ssdpmessage: message(uuid) }]));
}

function device(number: number) {
  const uuid = `uuid:00000000-0000-0000-0000-${String(number).padStart(12, '0')}`;
  const [location, usn] = [`http://192.168.0.${number % 250}/description.xml`, `uuid:0000-${number}`];
  return [uuid, { expiration: 1577185199000 + number, location, usn, params: {}, entity: null }] as const;
}

/**
 * Beans with the least speed of each format: what a writer for speed alone reached, divided by what one walk for everything may cost, 2.5, with
 * getters 3.
 */
export function unwrittenBeans() {
  const instances = Array.from({ length: 2000 }, (_, number) => new Instance(number));
  const devices = new Map(Array.from({ length: 100_000 }, (_, number) => device(number)));
  return [
    { name: 'tiny, 10 fields', bean: tiny, json: 0.2, xml: 0.2 },
    { name: 'configuration, 300 nodes', bean: configuration(), json: 0.16, xml: 0.16 },
    { name: '12 announcements, maps in a map', bean: announcements(), json: 0.12, xml: 0.11 },
    { name: '2,000 instances with getters', bean: instances, json: 0.13, xml: 0.13 },
    { name: 'Map of 100,000 objects', bean: devices, json: 0.22, xml: 0.22 },
  ];
}

/** With the plain data from which `JSON.stringify` writes the same document. */
export function benchBeans() {
  return unwrittenBeans().map((each) => ({ ...each, plain: JSON.parse(inspect(each.bean).toString()) as unknown }));
}
