// The reference: plain node:http that sends the bytes of files, in turns if there are several.
// Arguments: status, headers as JSON, files.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [status, headers, ...files] = process.argv.slice(2);
const responses = files.map((file) => {
  const body = readFileSync(file);
  return { body, head: { ...JSON.parse(headers), 'content-length': body.length } };
});

let next = 0;
const server = createServer((request, response) => {
  const { head, body } = responses[next];
  next = next + 1 === responses.length ? 0 : next + 1;
  request.resume();
  response.writeHead(Number(status), head);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
