import { type Announcement, announcements, ToolError } from '@jig/bean-inspection/internal';

/** An application that runs, with its instances, the oldest first. */
interface Application {
  readonly application: string;
  readonly folder: string;
  readonly instances: readonly Announcement[];
}

async function applications(): Promise<readonly Application[]> {
  const all = await announcements();
  const keyOf = ({ application, folder }: Announcement) => JSON.stringify([application, folder]);
  return [...new Set(all.map(keyOf))].map((key) => {
    const instances = all.filter((each) => keyOf(each) === key);
    return { application: '', folder: '', ...instances[0], instances };
  });
}

/** The applications, for a model. */
export async function describeApplications(): Promise<string> {
  const found = await applications();
  if (found.length === 0) return noApplication;
  return JSON.stringify({
    applications: found.map(({ application, folder, instances }) => ({
      application,
      folder,
      instances: instances.map(({ id, label, pid, node, startedAt, addresses, prefix, attached }) => ({
        instance: id,
        label,
        pid,
        node,
        startedAt,
        addresses: addresses.map((address) => address + prefix),
        ...(attached === true ? { attached } : {}),
      })),
    })),
  });
}

const noApplication =
  'No application of this user has Jig in it. Start one with bean inspection mounted, in development, and call again.';

export interface Chosen {
  readonly instance: Announcement;
  /** Says who answers, where nobody chose among several. */
  readonly note?: string | undefined;
}

/** The instance that a call is for; a `ToolError` lists what there is when that cannot be told. */
export async function chooseInstance(application: string | undefined, instance: string | undefined): Promise<Chosen> {
  const all = await applications();
  if (all.length === 0) throw new ToolError(noApplication);
  const named = all.filter((each) => application === undefined || isNamed(each, application));
  if (named.length === 0) throw new ToolError(`No application has that name. There are: ${namesOf(all)}.`);
  const found = named
    .map((each) => ({
      ...each,
      instances: each.instances.filter((one) => instance === undefined || isInstance(one, instance)),
    }))
    .filter(({ instances }) => instances.length > 0);
  const [only, ...others] = found;
  if (only === undefined) throw new ToolError(`No instance has that name. There are: ${instancesOf(named)}.`);
  if (others.length > 0)
    throw new ToolError(`Several applications run: name one as application, by its name or folder: ${namesOf(found)}.`);
  const [first, ...siblings] = only.instances;
  if (first === undefined) throw new ToolError(noApplication);
  if (siblings.length === 0) return { instance: first };
  const note = `Answered by ${first.label}. Name one as instance to choose: ${instancesOf([only])}.`;
  return { instance: first, note };
}

const isNamed = ({ application, folder }: Application, name: string) => application === name || folder === name;

const isInstance = ({ id, label, pid }: Announcement, name: string) =>
  id === name || label === name || String(pid) === name;

const namesOf = (all: readonly Application[]) =>
  all.map(({ application, folder }) => `${application} (${folder})`).join(', ');

const instancesOf = (all: readonly Application[]) =>
  all.flatMap(({ instances }) => instances.map(({ id, label }) => `${id} (${label})`)).join(', ');
