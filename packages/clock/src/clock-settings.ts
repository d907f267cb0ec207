import { string } from '@jig/application';

export const clockSettings = {
  locale: string({
    default: 'en-US',
    description: 'The locale for browsers that ask for no supported one.',
  }),
  zone: string({
    default: undefined,
    description: "The zone for visitors who have chosen none; otherwise the server's.",
  }),
} as const;
