import 'reflect-metadata';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BeanInspectionModule } from '@jig/bean-inspection/nest';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import compression from 'compression';
import helmet from 'helmet';
import type { Mount } from '../conformance/mount.ts';
import { folderWithOlder } from '../older-versions.ts';

interface Nest {
  readonly common: typeof common;
  readonly core: typeof core;
  readonly FastifyAdapter: typeof FastifyAdapter;
  readonly BeanInspectionModule: typeof BeanInspectionModule;
}

const current: Nest = { common, core, FastifyAdapter, BeanInspectionModule };

let older: Promise<{ folder: string; nest: Nest }> | undefined;
let olderInUse = 0;

async function loadOlder(): Promise<{ folder: string; nest: Nest }> {
  const folder = await folderWithOlder('nest-11');
  const require = createRequire(join(folder, 'main.cjs'));
  const nest = {
    common: require('@nestjs/common'),
    core: require('@nestjs/core'),
    FastifyAdapter: require('@nestjs/platform-fastify').FastifyAdapter,
    BeanInspectionModule: require('@jig/bean-inspection/nest').BeanInspectionModule,
  };
  return { folder, nest };
}

/** The older Nest, once for all applications that run at the same time; its files are gone when the last of them has stopped. */
async function olderNest(): Promise<{ nest: Nest; release: () => Promise<void> }> {
  olderInUse++;
  older ??= loadOlder();
  const { folder, nest } = await older;
  return {
    nest,
    async release() {
      olderInUse--;
      if (olderInUse > 0) return;
      older = undefined;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class Hello {
  hello(): string {
    return 'hello';
  }
}

/** Asked for every route of Nest, and allows none but one. */
class OnlyHello {
  canActivate(context: common.ExecutionContext): boolean {
    return context.getHandler() === Hello.prototype.hello;
  }
}

/** An application as decorators would make it. */
async function createApplication(nest: Nest, beans: unknown, platform: string): Promise<common.INestApplication> {
  const { Controller, Get, Module } = nest.common;
  class Routes extends Hello {}
  Controller('hello')(Routes);
  const descriptor = Object.getOwnPropertyDescriptor(Hello.prototype, 'hello') ?? {};
  Get()(Routes.prototype, 'hello', descriptor);
  class Application {}
  Module({ imports: [beans as common.DynamicModule], controllers: [Routes] })(Application);
  const options = { logger: false } as const;
  return platform === 'Fastify'
    ? nest.core.NestFactory.create(Application, new nest.FastifyAdapter({ forceCloseConnections: true }), options)
    : nest.core.NestFactory.create(Application, { ...options, forceCloseConnections: true });
}

const nestMount = (version: 11 | 12, platform: 'Express' | 'Fastify'): Mount => ({
  name: `in Nest ${version} on ${platform}, with a guard, a global prefix, CORS and middleware`,
  optionName: (option) => `the option ${option} of BeanInspectionModule.forRoot`,
  async start({ source }, options) {
    const { nest, release } = version === 12 ? { nest: current, release: async () => {} } : await olderNest();
    const app = await createApplication(nest, nest.BeanInspectionModule.forRoot({ source, ...options }), platform);
    app.setGlobalPrefix('api', { exclude: ['hello'] });
    app.enableCors();
    app.useGlobalGuards(new OnlyHello());
    app.use(helmet());
    if (platform === 'Express') app.use(compression({ threshold: 0 }));
    await app.listen(0, '127.0.0.1');
    const inspection = app.get(nest.BeanInspectionModule);
    return { url: await app.getUrl(), stop: () => app.close().then(release), inspection };
  },
});

export const nestMounts = [
  nestMount(12, 'Express'),
  nestMount(12, 'Fastify'),
  nestMount(11, 'Express'),
  nestMount(11, 'Fastify'),
];
