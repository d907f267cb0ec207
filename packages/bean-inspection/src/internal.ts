// For our own packages; anything here may change in any release.
export { NodeRequest } from './http/node-request.ts';
export {
  type Announced,
  type Announcement,
  type AnnounceOptions,
  announce,
  announcements,
} from './instances/announcement.ts';
export { type Identity, identity } from './instances/identity.ts';
export { instancesFolder } from './instances/instances-folder.ts';
export { ask, type PassOptions, passOn } from './instances/pass-on.ts';
export { Inspector } from './mounts/inspector.ts';
export { nodeSender } from './resources/send-answer.ts';
export { fromAwilix } from './sources/awilix.ts';
export { fromInversify } from './sources/inversify.ts';
export { fromNest } from './sources/nest.ts';
export { fromTsyringe } from './sources/tsyringe.ts';
export { fromTypedi } from './sources/typedi.ts';
