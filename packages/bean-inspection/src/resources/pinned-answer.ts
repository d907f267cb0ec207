import type { Answer } from '../beans/resource.ts';

/** Where links of an answer lead, and which instance they are to stay with. */
export interface Pin {
  readonly prefix: string;
  readonly instance: string;
}

/** The same answer, with all links and forms of a page, and where a client is sent to, naming the instance. */
export function pinned(answer: Answer, pin: Pin): Answer {
  if ('page' in answer) return { ...answer, page: pinnedMarkup(answer.page, pin) };
  if ('redirect' in answer) return { ...answer, redirect: pinnedAddress(answer.redirect, pin) };
  if ('stream' in answer) {
    const { stream: own } = answer;
    const stream: typeof own = {
      start: (sink) => own.start({ ...sink, write: (text) => sink.write(pinnedMarkup(text, pin)) }),
    };
    return { ...answer, stream };
  }
  if (!('bytes' in answer)) return answer;
  const { location } = answer.headers ?? {};
  return {
    ...answer,
    ...(answer.mediaType.startsWith('text/html') ? { bytes: pinnedMarkup(answer.bytes.toString(), pin) } : {}),
    ...(location === undefined ? {} : { headers: { ...answer.headers, location: pinnedAddress(location, pin) } }),
  };
}

/** An address of ours with the instance in its query, unless it names one. @param ampersand as it is written there */
function pinnedAddress(address: string, { prefix, instance }: Pin, ampersand = '&'): string {
  if (!address.startsWith(`${prefix}/`) || /[?;&]instance=/.test(address)) return address;
  // An escaped character has the sign of a fragment in it too.
  const [path = '', ...fragment] = address.split(/(?<!&)(?=#)/);
  return `${path}${path.includes('?') ? ampersand : '?'}instance=${instance}${fragment.join('')}`;
}

/** Attributes with an address, also inside of JSON. All text of a page has its quotes escaped, so nothing else looks like them. */
const attribute = /\b(href|action|src)=(\\?")([^"\\]*)\2/g;
const form = /<form\b[^>]*>/g;

function pinnedMarkup(markup: string, pin: Pin): string {
  return (
    markup
      .replace(
        attribute,
        (_, name, quote, address) => `${name}=${quote}${pinnedAddress(address, pin, '&amp;')}${quote}`,
      )
      // What is sent by GET replaces the query of the address.
      .replace(form, (tag) => {
        if (/\bmethod=\\?"post/.test(tag)) return tag;
        const quote = tag.includes('\\"') ? '\\"' : '"';
        const field = Object.entries({ type: 'hidden', name: 'instance', value: pin.instance });
        return `${tag}<input${field.map(([name, value]) => ` ${name}=${quote}${value}${quote}`).join('')}>`;
      })
  );
}
