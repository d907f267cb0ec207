import { runApplication } from '@jig/application';
import { service } from './application.ts';

await runApplication(service);
