import { NestFactory } from '@nestjs/core';
import { ApplicationModule } from './application-module';

async function main(): Promise<void> {
  const app = await NestFactory.create(ApplicationModule);
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
  console.log('listening on', await app.getUrl());
}

void main();
