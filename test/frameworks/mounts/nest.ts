import 'reflect-metadata';
import { BeanInspectionModule } from '@jig/bean-inspection/nest';
import * as common from '@nestjs/common';
import * as core from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import compression from 'compression';
import helmet from 'helmet';
import type { Mount } from '../conformance/mount.ts';

export interface Nest {
  readonly common: typeof common;
  readonly core: typeof core;
  readonly FastifyAdapter: typeof FastifyAdapter;
  readonly BeanInspectionModule: typeof BeanInspectionModule;
}

const current: Nest = { common, core, FastifyAdapter, BeanInspectionModule };

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

export const nestMount = (platform: 'Express' | 'Fastify', version = 12, load = async () => current): Mount => ({
  name: `in Nest ${version} on ${platform}, with a guard, a global prefix, CORS and middleware`,
  optionName: (option) => `the option ${option} of BeanInspectionModule.forRoot`,
  async start({ source }, options) {
    const nest = await load();
    const app = await createApplication(nest, nest.BeanInspectionModule.forRoot({ source, ...options }), platform);
    app.setGlobalPrefix('api', { exclude: ['hello'] });
    app.enableCors();
    app.useGlobalGuards(new OnlyHello());
    app.use(helmet());
    if (platform === 'Express') app.use(compression({ threshold: 0 }));
    await app.listen(0, '127.0.0.1');
    const inspection = app.get(nest.BeanInspectionModule);
    return { url: await app.getUrl(), stop: () => app.close(), inspection };
  },
});

export const nestMounts = [nestMount('Express'), nestMount('Fastify')];
