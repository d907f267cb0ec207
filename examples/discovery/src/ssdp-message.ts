/** An announcement of a device on the network (UPnP Device Architecture 2.0, section 1.2). */
export class SsdpMessage {
  readonly startLine = 'NOTIFY * HTTP/1.1';
  readonly params = new Map<string, string>();
  /** An announcement has no body. */
  readonly entity = null;
  readonly #headers: ReadonlyMap<string, string>;

  constructor(uuid: string, location: URL, secondsToLive: number) {
    this.#headers = new Map([
      ['HOST', '239.255.255.250:1900'],
      ['NT', 'upnp:rootdevice'],
      ['NTS', 'ssdp:alive'],
      ['USN', `${uuid}::upnp:rootdevice`],
      ['LOCATION', location.href],
      ['CACHE-CONTROL', `max-age=${secondsToLive}`],
    ]);
  }

  get headers(): ReadonlyMap<string, string> {
    return this.#headers;
  }
}
