// Apart from what uses them, so that settings can be checked where nothing else is loaded.

/** Whoever guesses it sees the inside of the application, from anywhere; and what is very short cannot be masked either. */
export const tokenRule = 'at least 12 characters, without white space and of ASCII characters only';

/** Whether a text may be a token: a header carries visible ASCII characters unchanged (RFC 9110, section 5.5). */
export const isToken = (text: string) => /^[!-~]{12,}$/.test(text);

/** How long a request waits for a bean that is being created, in milliseconds. */
export const defaultCreateTimeout = 10_000;

/** How many characters an answer to a coding agent may have: about 8,000 tokens, below what clients warn of and cut. */
export const defaultCharacters = 32_000;

/** Below it, what says how to get the rest would have no room. */
export const fewestCharacters = 4000;
