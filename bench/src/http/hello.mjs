// The least that a Node server can be.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.end('hello'));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
