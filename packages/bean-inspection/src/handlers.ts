import { answerBeanAsJson, answerBeanAsXml, answerBeans, answerPost, answerWithoutForm } from './beans/answers.ts';
import { assetAnswer } from './browser/assets.ts';
import { beanPageAnswer, instancesAnswer } from './browser/browser-answers.ts';
import { compareAnswer, keepAnswer, patchAnswer } from './compare/answers.ts';
import { dotAnswer, graphAnswer, mermaidAnswer } from './graph/graph-page.ts';
import type { Call } from './handle.ts';
import type { Answer, Awaitable } from './http/answer.ts';
import type { ParameterValues } from './http/parameters.ts';
import { mcpAnswer } from './mcp/endpoint.ts';
import { metricsAnswer } from './readings/prometheus.ts';
import type { RouteId, routes } from './routes.ts';
import { changeWatch, watchAnswer } from './watch/answers.ts';

/** A function for each route, of the call and of the values of its parameters. */
type Handlers = {
  readonly [Id in RouteId]: (
    call: Call,
    query: ParameterValues<(typeof routes)[Id]['parameters']>,
  ) => Awaitable<Answer>;
};

/** What answers each route. */
export const handlers: Handlers = {
  beans: answerBeans,
  beansAsJson: answerBeans,
  beansAsXml: answerBeans,
  beanAsJson: answerBeanAsJson,
  beanAsXml: answerBeanAsXml,
  beanPage: beanPageAnswer,
  beanWithoutForm: answerWithoutForm,
  createBean: answerPost,
  graph: graphAnswer,
  graphAsDot: dotAnswer,
  graphAsMermaid: mermaidAnswer,
  compareBeans: compareAnswer,
  compareBeansAsJson: compareAnswer,
  compareBeansAsPatch: patchAnswer,
  keepSnapshot: keepAnswer,
  keepSnapshotAsJson: keepAnswer,
  watch: watchAnswer,
  watchAsJson: watchAnswer,
  watchValue: changeWatch,
  endWatch: changeWatch,
  metrics: metricsAnswer,
  instances: instancesAnswer,
  instancesAsJson: instancesAnswer,
  mcp: mcpAnswer,
  asset: ({ request, name }) => assetAnswer(name, request.raw.headers['accept-encoding']?.toString()),
};
