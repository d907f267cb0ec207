/** Loaded when they are first needed, since most applications are asked for no page; and once, since importing again is slow. */
let loaded: typeof import('./pages.ts') | undefined;

/** What people look at in a browser, what is scraped, and what is asked of other instances. */
export async function pages(): Promise<typeof import('./pages.ts')> {
  loaded ??= await import('./pages.ts');
  return loaded;
}
