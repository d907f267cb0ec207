// An Express application with socket.io, a client that is connected, and services of its own.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection/express';
import axios from 'axios';
import express from 'express';
import Redis from 'ioredis';
import PQueue from 'p-queue';
import pino from 'pino';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';
import { opened, redis } from './opened.mjs';

const app = express();
const server = createServer(app);
const io = new Server(server);

/** Who is in which room, with the sockets themselves. */
class Presence {
  sockets = new Map();

  constructor(sockets) {
    this.io = sockets;
    sockets.on('connection', (socket) => {
      socket.data = { user: 'ada', accessToken: 'socketHunter2pw' };
      socket.join('orders');
      this.sockets.set(socket.id, socket);
      this.latest = socket;
    });
  }
}

class Orders {
  open = [{ id: 1, lines: [{ product: 'kettle', count: 2 }] }];

  constructor(presence, queue, payments) {
    Object.assign(this, { presence, queue, payments, app, server });
  }
}

const presence = new Presence(io);
const queue = new PQueue({ concurrency: 2 });
const payments = axios.create({ baseURL: 'https://pay.example', auth: { username: 'shop', password: 'payHunter2pw' } });
const orders = new Orders(presence, queue, payments);
const log = pino({ level: 'warn' });
const store = new Redis(redis);
const beans = { app, server, io, admin: io.of('/admin'), presence, orders, queue, payments, log, store };

app.set('cookie secret', 'cookieHunter2pw');
app.locals.orders = orders;
app.use(beanInspection(beans));
app.use(express.json());
app.get('/orders', function listOrders(_request, response) {
  response.json(orders.open);
});

await store.set('a', 1);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const client = connect(`http://127.0.0.1:${port}`, { auth: { token: 'handshakeHunter2pw' } });
await once(io, 'connection');
beans.socket = presence.latest;
beans.client = client;
opened(port, () => Object.entries(beans));
