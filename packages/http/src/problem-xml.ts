const escapeXml = (text: string) =>
  text
    // Characters that XML 1.0 cannot hold.
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\u{fffd}')
    .replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const isXmlName = (name: string) => /^[A-Za-z_][\w.-]*$/.test(name);

/** RFC 9457, appendix B: members are elements, and the items of an array are elements `i`. */
function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => `<i>${contentOf(item)}</i>`).join('');
  if (typeof value === 'object') return elementsOf(value);
  return escapeXml(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Leaves out members whose names are not valid element names. */
function elementsOf(members: object): string {
  const named = Object.entries(members).filter(([name]) => isXmlName(name));
  return named.map(([name, value]) => `<${name}>${contentOf(value)}</${name}>`).join('');
}

/** A problem document in XML. */
export function problemAsXml(document: Readonly<Record<string, unknown>>): string {
  // Throws for cycles, like the JSON form.
  const plain: object = JSON.parse(JSON.stringify(document));
  return `<problem xmlns="urn:ietf:rfc:7807">${elementsOf(plain)}</problem>`;
}
