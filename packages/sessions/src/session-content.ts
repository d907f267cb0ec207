import type { Session } from './session.ts';

/** The caller's own session attributes, as the bean `session`: a map and nothing else, so that no attribute can hide what is ours. */
export class SessionContent extends Map<string, string> {}

/** Looks without making or prolonging anything. */
export async function readSessionContent(session: Session): Promise<SessionContent> {
  return new SessionContent((await session.record())?.attributes);
}
