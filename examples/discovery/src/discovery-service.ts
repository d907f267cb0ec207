import { SsdpMessage } from './ssdp-message.ts';

export interface Discovered {
  readonly expiration: Date;
  readonly ssdpmessage: SsdpMessage;
}

const secondsToLive = 30;
const deviceCount = 12;

/** The devices that have announced themselves lately, by their names. Here they are made up, one at each tick. */
export class DiscoveryService extends Map<string, Discovered> {
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  constructor(interval: number) {
    super();
    this.#interval = interval;
  }

  start(): void {
    this.#tick();
    this.#timer = setInterval(() => this.#tick(), this.#interval);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = Date.now();
    for (const [uuid, { expiration }] of this) {
      if (expiration.getTime() <= now) this.delete(uuid);
    }
    const device = (this.#ticks++ % deviceCount) + 1;
    const uuid = `uuid:00000000-0000-0000-0000-${String(device).padStart(12, '0')}`;
    const location = new URL(`http://192.168.0.${device}:49152/description.xml`);
    const ssdpmessage = new SsdpMessage(uuid, location, secondsToLive);
    this.set(uuid, { expiration: new Date(now + secondsToLive * 1000), ssdpmessage });
  }
}
