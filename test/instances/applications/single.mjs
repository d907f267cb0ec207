// An application of one process: `node single.mjs OPTIONS`, with the options of the mount as JSON.
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';

const options = JSON.parse(process.argv[2] ?? '{}');
const answer = beanInspection({ who: { pid: process.pid } }, { onReady() {}, application: 'shop', ...options });
const server = createServer((request, response) => {
  void answer(request, response).then((isAnswered) => isAnswered || response.end());
});
server.listen(0, options.host ?? '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
