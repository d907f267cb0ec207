// npm start: installs and builds what is missing, then runs the service in this very process, so that signals and exit codes are its own.
import { prepare } from './prepare.mjs';

prepare('service');
await import('../service/dist/main.js');
