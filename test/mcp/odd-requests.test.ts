import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningMount } from '../frameworks/conformance/mount.ts';
import { nodeMount } from '../frameworks/mounts/node.ts';
import { agentBeans, agentOptions } from './agent-beans.ts';
import { type OddAnswer, oddRequests, sendOdd } from './odd-requests.ts';
import { startReference } from './sdk-server.ts';

/** What ours answers where it differs from the SDK's server, and why. */
const differences: Readonly<Record<string, { readonly ours: OddAnswer; readonly because: string }>> = {
  'a resource without an address': { ours: [200, -32602], because: 'it is the client that made the mistake' },
  'an earlier handshake without a version': { ours: [200, -32602], because: 'it is the client that made the mistake' },
  'an earlier unknown resource': { ours: [200, -32002], because: 'that is its code up to 2025-11-25' },
  'an earlier request for an unknown version': {
    ours: [400, -32600],
    because: 'the specification asks newcomers not to use -32000',
  },
  'a batch': { ours: [400, -32600], because: 'batches were only in 2025-03-26, which we do not offer' },
  'JSON only as what is accepted': { ours: [200], because: 'we answer by JSON, so nothing else need be accepted' },
  'another type of body': { ours: [415], because: 'what is refused before a message is read is a problem document' },
  'no type of body': { ours: [415], because: 'what is refused before a message is read is a problem document' },
  'a type of body that begins like JSON': {
    ours: [415],
    because: 'what is refused before a message is read is a problem document',
  },
  GET: { ours: [405], because: 'what is refused before a message is read is a problem document' },
  DELETE: { ours: [405], because: 'what is refused before a message is read is a problem document' },
  PUT: { ours: [405], because: 'what is refused before a message is read is a problem document' },
};

describe('odd requests', () => {
  let ours: RunningMount;
  let reference: RunningMount;

  beforeAll(async () => {
    [ours, reference] = await Promise.all([nodeMount.start(agentBeans(), agentOptions), startReference()]);
  });
  afterAll(() => Promise.all([ours.stop(), reference.stop()]));

  it.each(Object.entries(oddRequests))(
    '%s is answered as the SDK server does, or differs on purpose',
    async (name, odd) => {
      const [answered, expected] = await Promise.all([
        sendOdd(`${ours.url}/jig/mcp`, odd),
        sendOdd(`${reference.url}/jig/mcp`, odd),
      ]);
      const difference = differences[name];
      expect(answered).toEqual(difference?.ours ?? expected);
      // A difference that is none any more is to be taken out.
      if (difference !== undefined) expect(expected).not.toEqual(difference.ours);
    },
  );

  it('the list of differences names requests that there are', () => {
    expect(Object.keys(differences).filter((name) => !Object.hasOwn(oddRequests, name))).toEqual([]);
  });
});
