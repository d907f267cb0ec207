import { passedHeader } from '../http/instance-headers.ts';
import type { Instance } from './instance.ts';
import { type Answered, askWithin } from './pass-on.ts';

/** Addresses of instances on other machines, such as `http://10.0.0.5:3000`, or a function that gives them. */
export type Peers = readonly string[] | (() => readonly string[] | Promise<readonly string[]>);

export interface PeerOptions {
  readonly peers: Peers;
  /** Of all instances. */
  readonly token: string;
  /** What addresses begin with where a peer names no path. */
  readonly prefix: string;
}

/** More would be a mistake, and each is asked. */
const mostPeers = 200;
const listMs = 5000;
const peerMs = 1000;
const largestList = 1024 * 1024;

interface Listed {
  readonly at: number;
  readonly instances: Promise<readonly Instance[]>;
}

const lists = new WeakMap<PeerOptions, Listed>();

/** The instances that peers tell of: each names those of its machine too, which it passes requests on to. */
export function peerInstances(options: PeerOptions, isFresh: boolean): Promise<readonly Instance[]> {
  const known = lists.get(options);
  if (known !== undefined && !isFresh && performance.now() - known.at < listMs) return known.instances;
  const instances = listPeers(options);
  lists.set(options, { at: performance.now(), instances });
  return instances;
}

async function listPeers({ peers, token, prefix }: PeerOptions): Promise<readonly Instance[]> {
  const addresses = await addressesOf(peers);
  const found = await Promise.all(addresses.map((address) => askPeer(address, token, prefix)));
  const byId = new Map(found.flat().map((each) => [each.id, each]));
  return [...byId.values()];
}

/** One that fails names nobody; the function is the application's. */
async function addressesOf(peers: Peers): Promise<readonly string[]> {
  try {
    const given = typeof peers === 'function' ? await peers() : peers;
    return [...new Set(given)].slice(0, mostPeers);
  } catch {
    return [];
  }
}

async function askPeer(address: string, token: string, ownPrefix: string): Promise<readonly Instance[]> {
  const headers = { authorization: `Bearer ${token}`, [passedHeader]: '1' };
  const none = { id: address, label: address, target: { address }, prefix: ownPrefix, headers };
  if (!URL.canParse(address)) return [{ ...none, fault: 'is not an address' }];
  const path = new URL(address).pathname.replace(/\/$/, '');
  const peer = { target: { address }, prefix: path === '' ? ownPrefix : path, headers };
  const told = await askWithin(peer, { path: '/instances.json', ms: peerMs, bytes: largestList });
  if ('fault' in told) return [{ ...none, fault: told.fault }];
  return listed(told).map(({ id, label, pid, startedAt }) => ({ id, label, pid, startedAt, ...peer })) ?? [];
}

/** What a peer says; nothing of what is no list of instances. */
function listed({ text }: Answered): readonly Pick<Instance, 'id' | 'label' | 'pid' | 'startedAt'>[] {
  try {
    const told: unknown = JSON.parse(text);
    return Array.isArray(told) ? told.filter(isTold) : [];
  } catch {
    return [];
  }
}

function isTold(each: unknown): each is Pick<Instance, 'id' | 'label' | 'pid' | 'startedAt'> {
  if (typeof each !== 'object' || each === null) return false;
  const { id, label, pid, startedAt } = each as Readonly<Record<string, unknown>>;
  return [id, label, startedAt].every((text) => typeof text === 'string') && typeof pid === 'number';
}
