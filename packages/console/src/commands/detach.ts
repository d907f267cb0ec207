import { detach } from '../attach/attach.ts';
import { parsePid } from '../usage-error.ts';
