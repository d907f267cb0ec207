import { promisify } from 'node:util';

const same = (bytes) => bytes;
const grpcMethod = {
  requestStream: false,
  responseStream: false,
  requestSerialize: same,
  requestDeserialize: same,
  responseSerialize: same,
  responseDeserialize: same,
};

/** Clients of HTTP, loggers, metrics and schedules. */
export const clientsAndLogs = {
  'pino()': {
    package: 'pino',
    line: 'level warn',
    async make() {
      const { default: pino } = await import('pino');
      return pino({ level: 'warn', redact: ['password'] });
    },
  },
  'winston createLogger()': {
    package: 'winston',
    line: 'level warn, 1 transport',
    async make() {
      const { default: winston } = await import('winston');
      const transports = [new winston.transports.Console()];
      return winston.createLogger({ level: 'warn', transports, defaultMeta: { service: 'shop' } });
    },
    end: (logger) => logger.close(),
  },
  'axios.create()': {
    package: 'axios',
    line: /^base url http:\/\/\S*@localhost:1, timeout 5 s, request interceptors 0, response interceptors 0$/,
    async make() {
      const { default: axios } = await import('axios');
      return axios.create({
        baseURL: 'http://shop:addressHunter2pw@localhost:1',
        headers: { Authorization: 'Bearer bearerHunter2pw', 'X-Api-Key': 'apikeyHunter2pw' },
        auth: { username: 'shop', password: 'basicHunter2pw' },
        timeout: 5000,
      });
    },
  },
  'got.extend()': {
    package: 'got',
    line: 'prefix url http://localhost:1/, timeout 5 s, handlers 0',
    async make() {
      const { default: got } = await import('got');
      return got.extend({ prefixUrl: 'http://localhost:1', timeout: { request: 5000 } });
    },
  },
  'nodemailer pool': {
    package: 'nodemailer',
    line: '0 of 5 connections, 0 queued',
    async make() {
      const { default: nodemailer } = await import('nodemailer');
      const auth = { user: 'shop', pass: 'smtpHunter2pw' };
      return nodemailer.createTransport({ pool: true, host: '127.0.0.1', port: 1, auth });
    },
    end: (mailer) => mailer.close(),
  },
  'nodemailer SMTP': {
    package: 'nodemailer',
    line: 'transport SMTP, server smtp.example.org:465, secure',
    async make() {
      const { default: nodemailer } = await import('nodemailer');
      return nodemailer.createTransport('smtps://shop:smtpHunter2pw@smtp.example.org:465');
    },
  },
  'gRPC Client': {
    package: '@grpc/grpc-js',
    line: 'idle, target dns:127.0.0.1:1',
    async make() {
      const grpc = await import('@grpc/grpc-js');
      const call = grpc.credentials.createFromMetadataGenerator(() => 'grpcHunter2pw');
      const credentials = grpc.credentials.combineChannelCredentials(grpc.credentials.createSsl(), call);
      const Greeter = grpc.makeClientConstructor({ greet: { ...grpcMethod, path: '/Greeter/greet' } }, 'Greeter');
      return new Greeter('127.0.0.1:1', credentials);
    },
    end: (client) => client.close(),
  },
  'gRPC Server': {
    package: '@grpc/grpc-js',
    line: /^127\.0\.0\.1:\d+, 0 connections, 1 method$/,
    async make() {
      const grpc = await import('@grpc/grpc-js');
      const server = new grpc.Server();
      server.addService({ greet: { ...grpcMethod, path: '/Greeter/greet' } }, { greet() {} });
      const bind = promisify((...given) => server.bindAsync(...given));
      await bind('127.0.0.1:0', grpc.ServerCredentials.createInsecure());
      return server;
    },
    end: (server) => server.forceShutdown(),
  },
  S3Client: {
    package: '@aws-sdk/client-s3',
    line: 'serviceId S3, middlewareStack: 11 functions',
    async make() {
      const { S3Client } = await import('@aws-sdk/client-s3');
      const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'awsHunter2pwawsHunter2pw' };
      return new S3Client({ region: 'eu-central-1', credentials });
    },
  },
  'prom-client Registry': {
    package: 'prom-client',
    line: '1 metric',
    async make() {
      const { default: client } = await import('prom-client');
      const registry = new client.Registry();
      const hits = new client.Counter({ name: 'hits', help: 'Hits', labelNames: ['page'], registers: [registry] });
      hits.inc({ page: 'home' }, 4);
      return registry;
    },
  },
};
