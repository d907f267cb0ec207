import { type Announcement, askWithin } from '@jig/bean-inspection/internal';

const largestList = 2 ** 24;

/** The list of beans of an instance, or a sentence that says why it is not known. */
export async function beansOfInstance<Bean extends { readonly name: string }>(
  { socket, prefix, label }: Announcement,
  ms = 2000,
): Promise<readonly Bean[] | string> {
  const bounds = { path: '/bean.json', ms, bytes: largestList };
  const answered = await askWithin({ target: { socket }, prefix, headers: {} }, bounds);
  if ('fault' in answered) return `${label} ${answered.fault}.`;
  try {
    return (JSON.parse(answered.text) as { readonly beans: readonly Bean[] }).beans;
  } catch {
    return `${label} answered ${answered.status}.`;
  }
}

/** The names of all beans of an instance, or that sentence. */
export async function namesOfBeans(instance: Announcement): Promise<readonly string[] | string> {
  const beans = await beansOfInstance(instance);
  return typeof beans === 'string' ? beans : beans.map(({ name }) => name);
}
