/** The first element that a selector finds. */
export const find = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E | null =>
  root.querySelector<E>(selector);

export const findAll = <E extends Element = HTMLElement>(selector: string, root: ParentNode = document): E[] => [
  ...root.querySelectorAll<E>(selector),
];

/** Where a form leads to. */
export function addressOf(form: HTMLFormElement): URL {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form))
    if (typeof value === 'string' && value !== '') url.searchParams.append(name, value);
  return url;
}

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

/** Changes a node into another one, and keeps equal nodes: with them the focus, open menus, and a pressed button. */
export function morph(old: Node, fresh: Node): void {
  if (old.isEqualNode(fresh)) return;
  morphChildren(old, [...fresh.childNodes]);
  if (old instanceof Text) old.data = fresh.textContent ?? '';
  if (!(old instanceof Element && fresh instanceof Element)) return;
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of old.getAttributeNames())
    if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
}

const idOf = (node: Node) => (node instanceof Element ? node.id : '');

/** Matches children by id, or else by order, and moves as few as possible: a node that is moved loses the focus. */
function morphChildren(parent: Node, after: readonly ChildNode[]): void {
  const before = [...parent.childNodes];
  let next = 0;
  const children = after.map((fresh) => {
    const id = idOf(fresh);
    const index = before.findIndex(
      (child, at) => (at >= next || id !== '') && child.nodeName === fresh.nodeName && idOf(child) === id,
    );
    const kept = before[index];
    if (kept === undefined) return fresh;
    next = Math.max(next, index + 1);
    morph(kept, fresh);
    return kept;
  });
  const there = new Set(children);
  for (const child of before) if (!there.has(child)) child.remove();
  for (const [index, child] of children.entries()) {
    const place = parent.childNodes[index] ?? null;
    if (place !== child) parent.insertBefore(child, place);
  }
}

let spokenAt = 0;

/** Writes the status line. A screen reader hears it at most every ten seconds, unless it answers an action of the user. */
export function say(text: string, isAnswer = true): void {
  const line = find('#said');
  const spoken = find('#spoken');
  if (line) line.textContent = text;
  if (!spoken || (!isAnswer && Date.now() - spokenAt < 10_000)) return;
  spokenAt = Date.now();
  spoken.textContent = text;
}
