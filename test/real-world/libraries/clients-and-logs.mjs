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
  S3Client: {
    package: '@aws-sdk/client-s3',
    line: /^4 entries: /,
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
  'node-cron task': {
    package: 'node-cron',
    line: /^idle, next \d{4}-01-01T/,
    async make() {
      const { default: cron } = await import('node-cron');
      return cron.schedule('0 0 1 1 *', () => {});
    },
    end: (task) => task.stop(),
  },
  'croner Cron': {
    package: 'croner',
    line: /^scheduled, next \d{4}-01-01T/,
    async make() {
      const { Cron } = await import('croner');
      return new Cron('0 0 1 1 *', () => {});
    },
    end: (job) => job.stop(),
  },
};
