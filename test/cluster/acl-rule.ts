import { readFileSync } from 'node:fs';

const document = new URL('../../docs/redis.md', import.meta.url);

/** The rights of the ACL user in docs/redis.md, word by word: what stands there is what is tried. */
export function documentedAclRule(): readonly string[] {
  const rule = /^ACL SETUSER jig >\S+ (.*)$/m.exec(readFileSync(document, 'utf8'))?.[1];
  if (rule === undefined) throw new Error('docs/redis.md has no rule for ACL SETUSER.');
  return rule.split(' ');
}
