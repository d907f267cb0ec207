/** A call that changes a collection, an assignment to an entry or a property, a deletion, an assignment that is no declaration. */
const changes = [
  /(?<![\w$])([A-Za-z_$][\w$]*)\s*\??\.\s*(?:set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\s*\(/g,
  /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:\[[^\]\n]{0,80}\]|\.[\w$]+)\s*(?:[-+*/%&|^?]{0,2}=(?![=>])|\+\+|--)/g,
  /\bdelete\s+([A-Za-z_$][\w$]*)/g,
  /(?<!\b(?:const|let|var)\s+|[.\w$])([A-Za-z_$][\w$]*)\s*(?:[-+*/%&|^?]{0,2}=(?![=>])|\+\+|--)/g,
];

/** The names of variables and properties that a module seems to change. What it changes under another name is taken for a constant. */
export const changedNames = (text: string): ReadonlySet<string> =>
  new Set(changes.flatMap((pattern) => Array.from(text.matchAll(pattern), ([, name = '']) => name)));
