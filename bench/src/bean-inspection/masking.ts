import { Masking } from '@jig/inspect';

/** Masking as the service has it: by keys, in URLs, and by the values of a few secrets. */
export const masking = new Masking({
  secrets: ['0123456789abcdef0123456789abcdef', 'a-database-password', 'a-token-of-some-length'],
});
