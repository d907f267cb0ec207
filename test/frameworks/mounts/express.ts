import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection/express';
import compression from 'compression';
import cors from 'cors';
import express from 'express';
import helmet from 'helmet';
import type { Mount } from '../conformance/mount.ts';
import { listen } from './listen.ts';

/** With what people commonly use before it. */
export const expressMount = (version = 5, make = express): Mount => ({
  name: `in Express ${version}, after helmet, compression, CORS and body parsers`,
  readsBodies: true,
  start(beans, options) {
    const app = make();
    app.set('case sensitive routing', true);
    app.use(helmet(), compression({ threshold: 0 }), cors());
    app.use(express.json(), express.urlencoded(), express.text());
    const inspection = beanInspection(beans.source, options);
    app.use(inspection);
    app.get('/hello', (_request, response) => void response.send('hello'));
    return listen(createServer(app), inspection);
  },
});
