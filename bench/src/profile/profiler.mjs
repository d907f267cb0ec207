// Loaded into a server before its own code: takes a profile of it between `profile` and `end profile`.
import { Session } from 'node:inspector/promises';

const microsecondsBetweenSamples = 200;
const session = new Session();
session.connect();

const answers = {
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

async function answer(ask) {
  process.send(await answers[ask]());
}

process.on('message', ({ ask }) => {
  if (ask in answers) void answer(ask);
});
