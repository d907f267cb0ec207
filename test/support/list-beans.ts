export interface ListedBean {
  readonly name: string;
  readonly type: string;
  readonly scope: string;
  readonly dependencies: readonly string[] | 'unknown';
  readonly instantiated: boolean;
  readonly links: { readonly json: string; readonly xml: string };
}

/** The beans that the service lists to the caller. */
export async function listBeans(url: string, headers: Record<string, string> = {}): Promise<readonly ListedBean[]> {
  const answer = await fetch(`${url}/jig/bean`, { headers });
  return ((await answer.json()) as { beans: ListedBean[] }).beans;
}
