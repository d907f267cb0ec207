import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { beanInspection } from '@jig/bean-inspection/express';
import compression from 'compression';
import cors from 'cors';
import express from 'express';
import helmet from 'helmet';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

const require = createRequire(new URL('../../older/express-4/', import.meta.url));
const versions = { 4: require('express') as typeof express, 5: express };

/** With what people commonly use before it. */
export const expressMount = (version: keyof typeof versions): Mount => ({
  name: `in Express ${version}, after helmet, compression, CORS and body parsers`,
  start(beans, options) {
    const app = versions[version]();
    app.set('case sensitive routing', true);
    app.use(helmet(), compression({ threshold: 0 }), cors());
    app.use(express.json(), express.urlencoded(), express.text());
    const inspection = beanInspection(beans.source, options);
    app.use(inspection);
    app.get('/hello', (_request, response) => void response.send('hello'));
    return listen(createServer(app), inspection);
  },
});
