// The reference: node:http and nothing else, sending the bytes of a file. Arguments: status, headers as JSON, file.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [status, headers, file] = process.argv.slice(2);
const body = readFileSync(file);
const head = { ...JSON.parse(headers), 'content-length': body.length };

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(Number(status), head);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
