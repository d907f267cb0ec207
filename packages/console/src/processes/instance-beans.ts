import { type Announcement, askWithin } from '@jig/bean-inspection/internal';

const bounds = { ms: 2000, bytes: 2 ** 24 };

/** The names of all beans of an instance, or a sentence that says why they are not known. */
export async function namesOfBeans({ socket, prefix, label }: Announcement): Promise<readonly string[] | string> {
  const answered = await askWithin({ socket, path: `${prefix}/bean.json`, headers: {} }, bounds);
  if ('fault' in answered) return `${label} ${answered.fault}.`;
  try {
    return (JSON.parse(answered.text) as { readonly beans: readonly { name: string }[] }).beans.map(({ name }) => name);
  } catch {
    return `${label} answered ${answered.status}.`;
  }
}
