/** The cookie in which the page's script tells the server the browser's own zone. */
export const browserZoneCookie = 'clock-zone';

const pattern = new RegExp(`(?:^|;\\s*)${browserZoneCookie}=([\\w%+./:-]{1,60})\\s*(?:;|$)`);

export function readBrowserZone(cookies: string | undefined): string | undefined {
  const [, value] = (cookies && pattern.exec(cookies)) || [];
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
