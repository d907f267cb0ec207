import { Secrets } from '@jig/inspect';
import { defaultDepth, defaultText, defaultViews } from '@jig/inspect/internal';
import { BeanController } from '../beans/bean-controller.ts';
import type { OptionName } from '../http/access.ts';
import type { OnError } from '../http/report-error.ts';
import { processView } from '../process/process-view.ts';
import type { BeanSource } from '../sources/bean-source.ts';
import type { ParsedOptions } from './options.ts';

export interface ControllerOptions {
  /** How options are called in the words of the mount. */
  readonly optionName?: OptionName | undefined;
  readonly onError: OnError;
  readonly note?: (() => string | undefined) | undefined;
}

export function createController<Context>(
  source: BeanSource<Context>,
  options: ParsedOptions,
  { onError, note, optionName = (name) => `the option ${name} of beanInspection` }: ControllerOptions,
): BeanController<Context> {
  const { token, hosts, allow, deny, mask, reveal, getters, create, createTimeout, metrics, views } = options;
  const { depth = defaultDepth, limit = 0, textLimit = defaultText, timeBudget = 30_000 } = options;
  const { application = process.env.npm_package_name, mcp = true, mcpCharacters, privateFields = true } = options;
  const secrets = new Secrets();
  for (const secret of [...options.secrets, token ?? '']) secrets.add(secret);
  const limits = { depth, limit, textLimit, timeBudget, getters, privateFields };
  const rules = { token, hosts, allow, deny, mask, reveal, optionName };
  return new BeanController(source, secrets, {
    ...limits,
    ...rules,
    application,
    note,
    metrics,
    views: views === false ? [] : [...views, processView, ...defaultViews(getters)],
    create,
    createTimeout,
    agents: { mcp, mcpCharacters, onError },
  });
}
