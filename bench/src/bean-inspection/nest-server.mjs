// A Nest application of 1,000 providers, whose beans are shown on node:http.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { beanInspection } from '@jig/bean-inspection';
import { fromNest } from '@jig/bean-inspection/nest';
import { Inject, Injectable, Module } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';

const perModule = 50;
const neededByEach = 3;

/** Classes, each with the three before it as dependencies. */
function providersOf(module) {
  const types = [];
  for (let index = 0; index < perModule; index++) {
    const name = `Provider${module}x${index}`;
    const type = { [name]: class {} }[name];
    Injectable()(type);
    for (const [at, needed] of types.slice(-neededByEach).entries()) Inject(needed)(type, undefined, at);
    types.push(type);
  }
  return types;
}

const modules = Array.from({ length: 20 }, (_, number) => {
  const name = `Module${number}`;
  const type = { [name]: class {} }[name];
  Module({ providers: providersOf(number) })(type);
  return type;
});
class AppModule {}
Module({ imports: modules })(AppModule);

const application = await NestFactory.createApplicationContext(AppModule, { logger: false });
const beans = beanInspection(fromNest(application.get(ModulesContainer)));
const server = createServer((request, response) => void beans(request, response));
server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
