import { duration, integer, list, type SettingsSchema, type SettingValues, string } from '../configuration/setting.ts';

const shortestSecret = 32;
const isStrong = (secret: string) => secret.length >= shortestSecret;

/** The section `sessions` of the configuration. */
export const sessionSettings = {
  store: string({
    default: 'auto',
    description: '`memory`, a store of an add-on, or `auto` for the best one.',
  }),
  timeToLive: duration({
    default: 30 * 60_000,
    minimum: 1000,
    description: 'How long a session lives after its last request.',
  }),
  storeDeadline: duration({
    default: 1500,
    minimum: 10,
    maximum: 30_000,
    description: 'How long a request waits for the session store.',
  }),
  maximumInMemory: integer({
    default: 50_000,
    minimum: 1,
    maximum: 10_000_000,
    description: 'How many sessions the memory store holds.',
  }),
  maximumMemory: integer({
    default: 32,
    minimum: 1,
    maximum: 4096,
    description: 'How many MiB the memory store takes.',
  }),
  cookieName: string({
    default: 'jig-session',
    description: 'The name of the cookie; over HTTPS with `__Host-` before it.',
    validate: (name) => (/^[\w-]{1,64}$/.test(name) ? undefined : 'a name of letters, digits, - and _'),
  }),
  secret: string({
    default: undefined,
    secret: true,
    description: 'Signs session cookies; otherwise one is made and kept in the data folder.',
    validate: (secret) => (isStrong(secret) ? undefined : `a text of at least ${shortestSecret} characters`),
  }),
  previousSecrets: list({
    default: [],
    secret: true,
    description: 'Secrets that are accepted, but sign no cookies.',
    validate: (all) =>
      all.every(isStrong) ? undefined : `a list of texts of at least ${shortestSecret} characters each`,
  }),
} satisfies SettingsSchema;

export type SessionSettings = SettingValues<typeof sessionSettings>;
