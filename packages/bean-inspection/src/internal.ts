// For our own packages; anything here may change in any release.
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
