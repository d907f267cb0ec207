import { streamsOf } from '../live/live-streams.ts';
import { withProcess } from '../process/with-process.ts';
import { measureProcess } from '../readings/measure-process.ts';
import { answer, isNegotiated, problemForm } from '../resources/answer.ts';
import { pages } from '../resources/load-pages.ts';
import { createController } from './controller.ts';

/** What only a request needs. Loaded at the first one, since applications start more often than somebody looks. */
export const answering = {
  answer,
  createController,
  isNegotiated,
  measureProcess,
  pages,
  problemForm,
  streamsOf,
  withProcess,
};
