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

process.on('message', async ({ ask }) => {
  if (ask in answers) process.send(await answers[ask]());
});
