// Loaded into a server before its own code: records a CPU profile between the messages `profile` and `end profile`.
import { Session } from 'node:inspector/promises';

const microsecondsBetweenSamples = 200;
const session = new Session();
session.connect();

const replies = {
  async profile() {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: microsecondsBetweenSamples });
    await session.post('Profiler.start');
    return {};
  },
  async 'end profile'() {
    const { profile } = await session.post('Profiler.stop');
    return profile;
  },
};

async function reply(ask) {
  process.send(await replies[ask]());
}

process.on('message', ({ ask }) => {
  if (ask in replies) void reply(ask);
});
