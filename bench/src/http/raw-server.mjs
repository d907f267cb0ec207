// The reference: plain node:http that sends the bytes of files, in turns if there are several. Arguments: headers as JSON, files.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [given, ...files] = process.argv.slice(2);
const headers = JSON.parse(given);
const isChunked = 'transfer-encoding' in headers;
const responses = files.map((file) => {
  const body = readFileSync(file);
  return { body, head: isChunked ? headers : { ...headers, 'content-length': body.length } };
});

let next = 0;
const server = createServer((request, response) => {
  const { head, body } = responses[next];
  next = next + 1 === responses.length ? 0 : next + 1;
  request.resume();
  response.writeHead(200, head);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
