import { type Announcement, askWithin } from '@jig/bean-inspection/internal';

const bounds = { ms: 2000, bytes: 2 ** 24 };

/** A bean as the list of an instance tells of it. */
export interface ListedBean {
  readonly name: string;
  readonly type: string;
  readonly owner: string;
  /** What matters of its state, in a line. */
  readonly line?: string;
  /** How it was found in an application that was not prepared. */
  readonly found?: string;
  readonly isMinor?: boolean;
}

/** All beans of an instance, or a sentence that says why they are not known. */
export async function beansOf({ socket, prefix, label }: Announcement): Promise<readonly ListedBean[] | string> {
  const answered = await askWithin({ target: { socket }, prefix, headers: {} }, { path: '/bean.json', ...bounds });
  if ('fault' in answered) return `${label} ${answered.fault}.`;
  try {
    return (JSON.parse(answered.text) as { readonly beans: readonly ListedBean[] }).beans;
  } catch {
    return `${label} answered ${answered.status}.`;
  }
}

export async function namesOfBeans(instance: Announcement): Promise<readonly string[] | string> {
  const beans = await beansOf(instance);
  return typeof beans === 'string' ? beans : beans.map(({ name }) => name);
}
