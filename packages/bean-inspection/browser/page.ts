/** The first element that a selector finds. */
export const find = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null =>
  root.querySelector<E>(selector);

export const findAll = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] => [
  ...root.querySelectorAll<E>(selector),
];

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

/** Markup comes from our own server only, where it was escaped; the policy of the page allows no other way to it. */
const trusted = (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('jig', {
  createHTML: (text) => text,
});

export function parse(markup: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = trusted?.createHTML(markup) ?? markup;
  return template.content;
}

/** The rows that a text of markup holds. */
export const parseRows = (markup: string) => findAll<HTMLTableRowElement>('tr', parse(markup));

/** Makes a node like another, and keeps what is the same: the focus, and what is open. */
export function morph(old: Node, fresh: Node): void {
  if (old.isEqualNode(fresh)) return;
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  const isAlike = (one: Node, other: Node | undefined) =>
    one.nodeName === other?.nodeName && (one as Element).id === (other as Element).id;
  const isSameShape = before.length === after.length && before.every((each, index) => isAlike(each, after[index]));
  if (isSameShape) for (const [index, each] of before.entries()) morph(each, after[index] as Node);
  else replaceChildren(old as Element, after);
  if (old instanceof Text) old.data = fresh.textContent ?? '';
  if (!(old instanceof Element && fresh instanceof Element)) return;
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of old.getAttributeNames())
    if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
}

/** Keeps children with the same id where they are: one that is taken out loses the focus. */
function replaceChildren(parent: Element, after: readonly ChildNode[]): void {
  const known = new Map([...parent.children].map((child) => [child.id, child]));
  known.delete('');
  const children = after.map((fresh) => {
    const kept = fresh instanceof Element ? known.get(fresh.id) : undefined;
    if (kept !== undefined) morph(kept, fresh);
    return kept ?? fresh;
  });
  const gone = [...parent.childNodes].filter((child) => !children.includes(child));
  for (const child of gone) child.remove();
  for (const [index, child] of children.entries()) {
    const there = parent.childNodes[index] ?? null;
    if (there !== child) parent.insertBefore(child, there);
  }
}

let spokenAt = 0;

/** Writes the status line. A screen reader hears it at most every ten seconds, unless it answers what somebody has done. */
export function say(text: string, isAnswer = true): void {
  const line = find('#said');
  const spoken = find('#spoken');
  if (line) line.textContent = text;
  if (!spoken || (!isAnswer && Date.now() - spokenAt < 10_000)) return;
  spokenAt = Date.now();
  spoken.textContent = text;
}
