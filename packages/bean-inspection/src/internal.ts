// For our own packages; anything here may change in any release.

export { spanText } from './browser/amounts.ts';
export { browserAsset } from './browser/assets.ts';
export { type Html, html } from './browser/html.ts';
export { icon, pagePolicy, pageWith } from './browser/page.ts';
export { Token } from './http/access.ts';
export { type EventStream, type LiveView, wantsStream } from './http/event-stream.ts';
export { hasConsole } from './http/first-request.ts';
export { BeanProblem, type ProblemForm } from './http/problem.ts';
export {
  type Announced,
  type Announcement,
  type AnnounceOptions,
  announce,
  announcements,
} from './instances/announcement.ts';
export { type Identity, identity } from './instances/identity.ts';
export { instancesFolder } from './instances/instances-folder.ts';
export { ask, askWithin, type PassOptions, passOn } from './instances/pass-on.ts';
export { LiveStreams } from './live/live-streams.ts';
export { annotations } from './mcp/bean-tools.ts';
export { answerText, toolsOf } from './mcp/endpoint.ts';
export { isObject } from './mcp/json-rpc.ts';
export { McpServer, type Tool, ToolError, type ToolResult } from './mcp/mcp-server.ts';
export { createController } from './mounts/controller.ts';
export { Inspector } from './mounts/inspector.ts';
export { parseOptions } from './mounts/options.ts';
export { processBean } from './process/process-bean.ts';
export { nodeSender } from './resources/send-answer.ts';
export { fromAwilix } from './sources/awilix.ts';
export { fromInversify } from './sources/inversify.ts';
export { fromNest } from './sources/nest.ts';
export { toBeanSource } from './sources/plain.ts';
export { fromTsyringe } from './sources/tsyringe.ts';
export { fromTypedi } from './sources/typedi.ts';
