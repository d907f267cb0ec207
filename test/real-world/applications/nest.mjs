// A Nest application of community modules, in JavaScript: decorators are called as functions.
import 'reflect-metadata';
import { BeanInspectionModule, fromNest } from '@jig/bean-inspection/nest';
import { HttpModule, HttpService } from '@nestjs/axios';
import { BullModule, getQueueToken, Processor, WorkerHost } from '@nestjs/bullmq';
import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager';
import { Controller, Get, Inject, Injectable, Module, Scope } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import {
  APP_GUARD,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  ModuleRef,
  ModulesContainer,
  NestFactory,
  Reflector,
} from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { JwtModule, JwtService } from '@nestjs/jwt';
import { getModelToken, MongooseModule } from '@nestjs/mongoose';
import { PassportModule, PassportStrategy } from '@nestjs/passport';
import { Cron, Interval, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { ApiTags, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import { Schema } from 'mongoose';
import { LoggerModule, PinoLogger } from 'nestjs-pino';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { io } from 'socket.io-client';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { databaseUrl, existingIn, opened, redis } from './opened.mjs';

/** A class with a field for each provider that it injects. */
function provider(name, fields, Base = class {}) {
  const Class = {
    [name]: class extends Base {
      constructor(...injected) {
        super();
        for (const [index, field] of Object.keys(fields).entries()) this[field] = injected[index];
      }
    },
  }[name];
  for (const [index, token] of Object.values(fields).entries()) Inject(token)(Class, undefined, index);
  return Class;
}

/** A method, with its decorators. */
function method(Class, name, body, ...decorators) {
  Class.prototype[name] = body;
  const descriptor = Object.getOwnPropertyDescriptor(Class.prototype, name);
  for (const decorate of decorators) decorate(Class.prototype, name, descriptor);
}

class User {}
Entity()(User);
PrimaryGeneratedColumn()(User.prototype, 'id');
Column({ type: 'text' })(User.prototype, 'name');
Column({ type: 'text' })(User.prototype, 'passwordHash');

class Strategies extends PassportStrategy(Strategy) {
  constructor() {
    super({ jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: 'strategyHunter2pw' });
  }
  validate(payload) {
    return payload;
  }
}

const Users = provider('UsersService', {
  users: getRepositoryToken(User),
  database: getDataSourceToken(),
  jwt: JwtService,
  cache: CACHE_MANAGER,
  logger: PinoLogger,
});
method(Users, 'onModuleInit', async function fill() {
  await this.users.save({ name: 'ada', passwordHash: 'hashHunter2pw' });
  this.seen = new Map((await this.users.find()).map((user) => [user.id, user]));
  await this.cache.set('users', [...this.seen.values()]);
  this.accessToken = this.jwt.sign({ sub: 1 });
});

const Mail = provider('MailService', { queue: getQueueToken('mail'), http: HttpService, config: ConfigService });
method(Mail, 'onModuleInit', async function greet() {
  await this.queue.add('welcome', { to: 'ada' });
});
method(Mail, 'greet', () => {}, OnEvent('user.created'));

const Letters = provider('LettersProcessor', {}, WorkerHost);
method(Letters, 'process', async () => {});
Processor('mail')(Letters);

const Tasks = provider('Tasks', { scheduler: SchedulerRegistry, events: EventEmitter2 });
method(Tasks, 'tick', () => {}, Interval(60_000));
method(Tasks, 'daily', () => {}, Cron('0 0 * * *'));

class PlaceOrder {}
const PlaceOrderHandler = provider('PlaceOrderHandler', { commands: CommandBus });
method(PlaceOrderHandler, 'execute', async () => {});
CommandHandler(PlaceOrder)(PlaceOrderHandler);

const Gateway = provider('EventsGateway', { moduleRef: ModuleRef });
WebSocketServer()(Gateway.prototype, 'server');
method(Gateway, 'hello', () => 'hello', SubscribeMessage('hello'));
WebSocketGateway()(Gateway);

// What leads to the whole application.
const Plugins = provider('Plugins', { moduleRef: ModuleRef });
const Explorer = provider('Explorer', { discovery: DiscoveryService, reflector: Reflector, modules: ModulesContainer });
const Adapters = provider('Adapters', { host: HttpAdapterHost, plugins: Plugins, explorer: Explorer });
const Catalog = provider('CatalogService', { cats: getModelToken('Cat'), queries: QueryBus });

let visits = 0;
class Visit {
  number = ++visits;
}
const Clock = provider('Clock', {});

const Shop = provider('ShopController', { users: Users, visit: Visit, moduleRef: ModuleRef });
Controller('shop')(Shop);
method(Shop, 'list', () => [], Get());
ApiTags('shop')(Shop);
const Health = provider('HealthController', { health: HealthCheckService });
Controller('health')(Health);
method(
  Health,
  'check',
  function check() {
    return this.health.check([]);
  },
  Get(),
);

for (const Class of [Strategies, Users, Mail, Tasks, Plugins, Explorer, Adapters, Catalog]) Injectable()(Class);
Injectable({ scope: Scope.REQUEST })(Visit);
Injectable({ scope: Scope.TRANSIENT })(Clock);

const settings = () => ({
  database: { password: 'configHunter2pw', url: 'postgres://shop:configHunter2pw@db.example/shop' },
  mail: { apiKey: 'mailHunter2pw' },
});

class Application {}
Module({
  imports: [
    ConfigModule.forRoot({ isGlobal: true, load: [settings] }),
    LoggerModule.forRoot({ pinoHttp: { level: 'warn' } }),
    TypeOrmModule.forRoot({ type: 'postgres', url: databaseUrl, entities: [User], synchronize: true }),
    TypeOrmModule.forFeature([User]),
    MongooseModule.forRoot('mongodb://shop:mongoHunter2pw@127.0.0.1:1/shop', {
      lazyConnection: true,
      serverSelectionTimeoutMS: 3_600_000,
    }),
    MongooseModule.forFeature([{ name: 'Cat', schema: new Schema({ name: String, password: String }) }]),
    BullModule.forRoot({ connection: redis }),
    BullModule.registerQueue({ name: 'mail' }),
    CacheModule.register(),
    ScheduleModule.forRoot(),
    EventEmitterModule.forRoot(),
    ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1_000_000 }]),
    TerminusModule,
    JwtModule.register({ secret: 'jwtHunter2pw', signOptions: { expiresIn: '1h' } }),
    PassportModule,
    HttpModule.register({ baseURL: 'https://api.example', headers: { Authorization: 'Bearer httpHunter2pw' } }),
    CqrsModule.forRoot(),
    DiscoveryModule,
    BeanInspectionModule.forRoot(),
  ],
  providers: [
    Strategies,
    Users,
    Mail,
    Letters,
    Tasks,
    PlaceOrderHandler,
    Gateway,
    Plugins,
    Explorer,
    Adapters,
    Catalog,
    Visit,
    Clock,
    { provide: APP_GUARD, useClass: ThrottlerGuard },
  ],
  controllers: [Shop, Health],
})(Application);

const app = await NestFactory.create(Application, { logger: ['error', 'warn'] });
SwaggerModule.setup('api', app, SwaggerModule.createDocument(app, new DocumentBuilder().setTitle('Shop').build()));
await app.listen(0, '127.0.0.1');
const { port } = app.getHttpServer().address();
const client = io(`http://127.0.0.1:${port}`);
await new Promise((resolve) => client.once('connect', resolve));
opened(port, existingIn(fromNest(app.get(ModulesContainer), { exceptModules: ['BeanInspectionModule'] })));
