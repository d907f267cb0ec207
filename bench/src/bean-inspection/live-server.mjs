// Serves a bean of a hundred rows, of which ten change four times a second.
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';

const rows = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`row${index}`, `a value of row ${index}`]));
let count = 0;
setInterval(() => {
  count++;
  for (let index = 0; index < 10; index++) rows[`row${index * 10}`] = `changed ${count} times`;
}, 250);

const inspect = beanInspection({ rows }, { onReady() {} });
const server = createServer((request, response) => {
  void inspect(request, response).then((isAnswered) => isAnswered || response.writeHead(404).end());
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
