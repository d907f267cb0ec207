// For our own packages; anything here may change in any release.

export { spanText } from './browser/amounts.ts';
export { assetAnswer } from './browser/assets.ts';
export { type Html, html } from './browser/html.ts';
export { icon, pageAnswer, pageWith } from './browser/page.ts';
export { Token } from './http/access.ts';
export { type Answer, answerHeaders, events, problemAnswer, redirect, wholeAnswer } from './http/answer.ts';

export { hasConsole } from './http/first-request.ts';
export { BeanProblem, type ProblemForm } from './http/problem.ts';
export { prefixHeader, readBody, startPageHeader, wantsStream } from './http/request.ts';
export {
  type Announced,
  type Announcement,
  type AnnounceOptions,
  announce,
  announcements,
} from './instances/announcement.ts';
export { type Identity, identity } from './instances/identity.ts';
export { Instances } from './instances/instances.ts';
export { ask, askWithin, headersToPass, passedAnswer } from './instances/proxy.ts';
export { LiveStreams, type LiveView } from './live/live-streams.ts';
export { isObject, McpServer, type Tool, ToolError, type ToolResult } from './mcp/mcp-server.ts';
export { annotations, toolsOf } from './mcp/tools.ts';
export { createMount } from './mount.ts';
export { Inspector } from './mounts/inspector.ts';
export { nodeRequest, sendAnswer } from './mounts/node.ts';
export { parseOptions } from './options.ts';
export { fromAwilix } from './sources/awilix.ts';
export { fromInversify } from './sources/inversify.ts';
export { fromNest } from './sources/nest.ts';
export { toBeanSource } from './sources/plain.ts';
export { processBean } from './sources/process.ts';
export { fromTsyringe } from './sources/tsyringe.ts';
