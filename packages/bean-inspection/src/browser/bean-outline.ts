import { type Outline, type OutlineOptions, outline } from '@jig/inspect';
import { pointerTokens } from '@jig/inspect/internal';
import type { BeanController } from '../beans/bean-controller.ts';
import type { InspectionRequest } from '../http/inspection-request.ts';
import { BeanProblem, type ProblemForm } from '../http/problem.ts';
import { outlineBudgetMs, outlineParameters } from '../http/query-parameters.ts';

const mostRows = 2000;

/** A part of a bean as typed rows. */
export async function beanOutline<Context>(
  controller: BeanController<Context>,
  name: string,
  request: InspectionRequest<Context>,
  options: OutlineOptions,
  form: ProblemForm,
): Promise<Outline> {
  const { value } = await controller.valueOf(name, form, request);
  return valueOutline(controller, value, request, options, form);
}

/** The same of a value that was got before. */
export function valueOutline<Context>(
  controller: BeanController<Context>,
  value: unknown,
  request: InspectionRequest,
  options: OutlineOptions,
  form: ProblemForm,
): Outline {
  const { textLimit: text, timeBudget, getters } = controller.limits;
  const { masking, closed, views, privateFields } = controller.documentOptions();
  if (pointerTokens(options.at ?? '') === undefined)
    throw new BeanProblem(400, `at ${outlineParameters.at.rule(controller.limits)}.`, { form });
  const bounds = { text, getters, budget: Math.min(timeBudget, outlineBudgetMs), rows: mostRows };
  const names = namesBesides(controller, value);
  return controller.orNotFound(request, form, () =>
    outline(value, { ...bounds, ...options, names, masking, closed, views, privateFields }),
  );
}

/** The names of the other beans that exist, by their values. */
function namesBesides<Context>(controller: BeanController<Context>, value: unknown): ReadonlyMap<object, string> {
  const names = new Map<object, string>();
  for (const { name, value: bean } of controller.existingBeans()) {
    const isObject = typeof bean === 'function' || (typeof bean === 'object' && bean !== null);
    if (isObject && bean !== value && !names.has(bean)) names.set(bean, name);
  }
  return names;
}
