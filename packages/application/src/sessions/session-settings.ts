import { duration, integer, text } from '../configuration/setting.ts';

export const sessionSettings = {
  store: text({
    default: 'auto',
    description:
      'Where sessions are kept: `memory`, a store that an add-on offers, or `auto` for the best one there is.',
  }),
  timeToLive: duration({
    default: 1_800_000,
    minimum: 1000,
    description: 'How long a session lives after it was last used.',
  }),
  maximumInMemory: integer({
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'How many sessions the memory store keeps; the oldest go first.',
  }),
  storeDeadline: duration({
    default: 1500,
    minimum: 10,
    maximum: 60_000,
    description: 'How long a request waits for the session store.',
  }),
  cookieName: text({ default: 'jig-session', description: 'The name of the session cookie.' }),
  secret: text({
    default: undefined,
    secret: true,
    description: 'The key that signs session cookies; without it one is generated and kept in the data folder.',
  }),
} as const;
