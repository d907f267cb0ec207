import {
  boolean,
  choice,
  duration,
  integer,
  list,
  type Setting,
  type SettingsSchema,
  type SettingValues,
  string,
} from '@jig/application';
import { defaultDepth, defaultText } from '@jig/inspect/basics';
import { defaultCreateTimeout } from '../beans/bean-creation.ts';
import { type MetricOptions, metricsProblem } from '../beans/metric-options.ts';
import { isToken, tokenRule } from '../http/access.ts';
import { defaultCharacters, fewestCharacters } from '../http/query-parameters.ts';
import { parseWatch, type WatchedReading, watchRule } from '../watch/recording-options.ts';

const anyToken = string({
  default: undefined,
  secret: true,
  description:
    'Whoever has this token may look, from any machine: as `Authorization: Bearer`, or as the password of Basic. Without one, only this machine may, over its loopback.',
});

const token: Setting<string | undefined> = {
  ...anyToken,
  expected: `a text of ${tokenRule}`,
  // An empty text is refused, and one that is short, or that no client can send, is no better.
  parse: (value) => anyToken.parse(isToken(String(value)) ? value : ''),
};

/** Metrics by name; JSON outside JSON. */
const metrics: Setting<MetricOptions> = {
  description:
    'Values of beans that `/jig/metrics` exports beside readings of views, by the name of the metric: `{"orders.open": {"bean": "orders", "at": "/open/length"}}`.',
  expected: 'metrics by name (as JSON)',
  default: {},
  secret: false,
  // What is wrong with it, `problem` says.
  parse: (value) => (typeof value === 'string' ? (parsedJson(value) ?? value) : value) as MetricOptions,
  problem: metricsProblem,
  show: (value) => JSON.stringify(value),
};

const watch: Setting<readonly WatchedReading[]> = {
  default: [],
  secret: false,
  description:
    'Values that are recorded from the start, as a list of objects (JSON in the environment): the `bean`, a `reading` of it or a JSON Pointer `at`, and the limits `over` and `under` if wanted.',
  expected: watchRule,
  parse: (value) => (typeof value === 'string' ? parsedJson(value) : value) as readonly WatchedReading[],
  problem: (value) => (parseWatch(value) === undefined ? watchRule : undefined),
  show: (value) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : 'none'),
};

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The section `beanInspection` of the configuration. */
export const inspectionSettings = {
  enabled: boolean({
    default: undefined,
    description: 'Whether beans can be inspected; otherwise they can, except with `NODE_ENV=production`.',
  }),
  token,
  hosts: list({
    default: [],
    description:
      'Names, beside those of this machine itself, that the server may be addressed by when beans are inspected.',
  }),
  allow: list({
    default: [],
    description: 'The beans that can be inspected, `*` standing for any text; none for all.',
  }),
  deny: list({ default: [], description: 'Beans that cannot be inspected, whatever `allow` says.' }),
  mask: list({
    default: [],
    description:
      'Further keys whose values are masked, in any case and `*` standing for any text, or JSON Pointers such as `/account/iban`.',
  }),
  reveal: list({
    default: [],
    description: 'Keys whose values are shown although they look secret, or JSON Pointers, as in `mask`.',
  }),
  depth: integer({
    default: defaultDepth,
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many containers deep to look; a request may ask for less.',
  }),
  limit: integer({
    default: 0,
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many entries of each container to show, 0 for all; a request may ask for less.',
  }),
  textLimit: integer({
    default: defaultText,
    minimum: 64,
    maximum: 134_217_728,
    description: 'How many characters of each text to show.',
  }),
  timeBudget: duration({
    default: 30_000,
    minimum: 10,
    description:
      'How long one document may take, other work of the application included; then it ends early. Waiting for a slow client does not count.',
  }),
  getters: choice(['run', 'own', 'none'], {
    default: 'run',
    description: 'Which getters looking runs: all, those that objects have themselves and not by their class, or none.',
  }),
  privateFields: boolean({
    default: false,
    description: 'Whether private fields (`#x`) are shown, as the inspector of Node tells them.',
  }),
  create: choice(['look', 'ask'], {
    default: 'look',
    description:
      'When a bean is created that does not exist: when somebody looks at it, or only by `POST /jig/bean/{name}`.',
  }),
  createTimeout: duration({
    default: defaultCreateTimeout,
    minimum: 10,
    description: 'How long a request waits for a bean that is being created; then the answer is 503.',
  }),
  watch,
  instance: string({
    default: undefined,
    description:
      'What this process is called among others of the application; otherwise host name and process id. Letters, digits and `._:~-`.',
  }),
  announce: boolean({
    default: undefined,
    description:
      'Whether other processes of the same user find this one, by a file and a Unix socket; otherwise only in development.',
  }),
  peers: list({
    default: [],
    description:
      'Addresses of instances on other machines, such as `http://10.0.0.5:8080`; they need the same `token`.',
  }),
  mcp: boolean({
    default: true,
    description: 'Whether coding agents can look at beans too, by the Model Context Protocol at `/jig/mcp`.',
  }),
  mcpCharacters: integer({
    default: defaultCharacters,
    minimum: fewestCharacters,
    maximum: 10_000_000,
    description: 'How many characters an answer to a coding agent may have; what does not fit can be asked for.',
  }),
  metrics,
} satisfies SettingsSchema;

export type InspectionSettings = SettingValues<typeof inspectionSettings>;
