import { type Announcement, announcements, ToolError } from '@jig/bean-inspection/internal';

const noApplication =
  'No application of this user has Jig in it. Start one with bean inspection mounted, in development, and call again.';

/** Whether both are instances of the same application. */
const areSiblings = (one: Announcement, other: Announcement) =>
  one.application === other.application && one.folder === other.folder;

/** The oldest instance of each application. */
const firstOfEach = (all: readonly Announcement[]) =>
  all.filter((each) => all.find((one) => areSiblings(one, each)) === each);

/** The applications as JSON, for a model. */
export async function describeApplications(): Promise<string> {
  const all = await announcements();
  if (all.length === 0) return noApplication;
  const applications = firstOfEach(all).map((first) => ({
    application: first.application,
    folder: first.folder,
    instances: all
      .filter((each) => areSiblings(each, first))
      .map(({ id, label, pid, node, startedAt, addresses, prefix, attached }) => ({
        instance: id,
        label,
        pid,
        node,
        startedAt,
        addresses: addresses.map((address) => address + prefix),
        ...(attached === true ? { attached } : {}),
      })),
  }));
  return JSON.stringify({ applications });
}

/** The instance that a call is for, the oldest of several; a `ToolError` lists the choices if it is ambiguous. */
export async function chooseInstance(
  application: string | undefined,
  instance: string | undefined,
): Promise<Announcement> {
  const all = await announcements();
  if (all.length === 0) throw new ToolError(noApplication);
  const named = all.filter(
    (each) => application === undefined || [each.application, each.folder].includes(application),
  );
  if (named.length === 0) throw new ToolError(`No application has that name. There are: ${applicationNames(all)}.`);
  const found = named.filter(
    ({ id, label, pid }) => instance === undefined || [id, label, String(pid)].includes(instance),
  );
  const [first] = found;
  if (first === undefined) throw new ToolError(`No instance has that name. There are: ${instanceNames(named)}.`);
  if (found.every((each) => areSiblings(each, first))) return first;
  throw new ToolError(
    `Several applications run: name one as application, by its name or folder: ${applicationNames(found)}.`,
  );
}

const applicationNames = (all: readonly Announcement[]) =>
  firstOfEach(all)
    .map(({ application, folder }) => `${application} (${folder})`)
    .join(', ');

const instanceNames = (all: readonly Announcement[]) => all.map(({ id, label }) => `${id} (${label})`).join(', ');
