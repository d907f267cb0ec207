import {
  boolean,
  choice,
  integer,
  list,
  type SettingsSchema,
  type SettingValues,
  setting,
  string,
} from '@jig/application';
import { defaultDepth } from '@jig/inspect/basics';
import {
  isMetrics,
  isToken,
  isWatch,
  type MetricOptions,
  metricsRule,
  tokenRule,
  type WatchedReading,
  watchRule,
} from '../options.ts';

const token = setting<string | undefined>(
  {
    default: undefined,
    secret: true,
    description: 'Gives access from any machine: `Authorization: Bearer`, or the password of Basic.',
  },
  `a text of ${tokenRule}`,
  (value) => (typeof value === 'string' && isToken(value) ? value : undefined),
);

const metrics = setting<MetricOptions>(
  {
    default: {},
    description: 'Values to export at `/jig/metrics`: `{"orders.open": {"bean": "orders", "at": "/open/length"}}`.',
  },
  metricsRule,
  (value) => fromJson(value, isMetrics),
);

const watch = setting<readonly WatchedReading[]>(
  { default: [], description: 'Values to record from the start; JSON in the environment.' },
  watchRule,
  (value) => fromJson(value, isWatch),
);

/** A value that may come as JSON text, such as in the environment. */
function fromJson<Value>(given: unknown, isRight: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = typeof given === 'string' ? JSON.parse(given) : given;
    return isRight(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The section `beanInspection` of the configuration. */
export const inspectionSettings = {
  enabled: boolean({
    default: undefined,
    description: 'Whether beans can be inspected; otherwise, except with `NODE_ENV=production`.',
  }),
  token,
  hosts: list({
    default: [],
    description: 'Further host names by which the server may be addressed.',
  }),
  allow: list({
    default: [],
    description: 'The beans that can be inspected (`*`: any text); none for all.',
  }),
  deny: list({ default: [], description: 'Beans that cannot be inspected, whatever `allow` says.' }),
  mask: list({
    default: [],
    description: 'Further keys to mask (`*`: any text), or JSON Pointers such as `/account/iban`.',
  }),
  reveal: list({
    default: [],
    description: 'Keys or JSON Pointers to show although they look secret.',
  }),
  depth: integer({
    default: defaultDepth,
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many containers deep to look.',
  }),
  limit: integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many entries of each container to show; 0 for all.',
  }),
  getters: choice(['run', 'own', 'none'], {
    default: 'run',
    description: "Which getters are run: all, an object's own, or none.",
  }),
  privateFields: boolean({
    default: true,
    description: 'Shows private fields (`#x`).',
  }),
  create: choice(['onRead', 'explicit'], {
    default: 'onRead',
    description: 'What creates a missing bean: reading it, or only a POST.',
  }),
  watch,
  instance: string({
    default: undefined,
    description: 'The name of this process among others; otherwise host name and process id.',
  }),
  announce: boolean({
    default: undefined,
    description: 'Whether other processes of the user find this one; by default in development.',
  }),
  mcp: boolean({
    default: true,
    description: 'Serves coding agents at `/jig/mcp`.',
  }),
  metrics,
} satisfies SettingsSchema;

export type InspectionSettings = SettingValues<typeof inspectionSettings>;
