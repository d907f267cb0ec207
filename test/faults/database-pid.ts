import { setTimeout as pause } from 'node:timers/promises';

interface Health {
  readonly status: string;
  readonly parts: { readonly database: { readonly details: { readonly pid: number } } };
}

/** The process of the database server of a service, once all parts are well: on a busy machine one may be too late to say anything. */
export async function databasePid({ url }: { readonly url: string }): Promise<number> {
  for (;;) {
    const { status, parts } = (await (await fetch(`${url}/health`)).json()) as Health;
    if (status === 'ok') return parts.database.details.pid;
    await pause(100);
  }
}
