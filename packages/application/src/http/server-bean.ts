import type { AddressInfo, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { AllowedMethods } from './not-found.ts';

/** The bean `server`: its address, its routes, and how busy it is. */
export class ServerBean {
  readonly #server: Server;
  readonly #allowedMethods: AllowedMethods;
  #connections = 0;
  #requests = 0;

  constructor(server: FastifyInstance, allowedMethods: AllowedMethods) {
    this.#server = server.server;
    this.#allowedMethods = allowedMethods;
    this.#server.on('connection', (socket) => {
      this.#connections++;
      socket.once('close', () => this.#connections--);
    });
    this.#server.on('request', () => this.#requests++);
  }

  toJSON() {
    const { address, routes, connections, requests } = this;
    return { address, routes, connections, requests };
  }

  get address(): AddressInfo | string | null {
    return this.#server.address();
  }

  get routes(): readonly { readonly method: string; readonly path: string }[] {
    return this.#allowedMethods.routes;
  }

  get connections(): number {
    return this.#connections;
  }

  get requests(): number {
    return this.#requests;
  }
}
