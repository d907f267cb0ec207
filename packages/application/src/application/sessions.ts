import { MemorySessionStore, SessionManager, sessionPlugin } from '@jig/sessions';
import { checkStore, readSessionContent, type SessionContent, Sessions } from '@jig/sessions/internal';
import { hostSettings, type SessionSettings } from '../configuration/host-settings.ts';
import { hostError } from '../errors.ts';
import type { ApplicationBuilder, SessionStoreOffer } from './build.ts';
import { hostOwner } from './host-beans.ts';
import { sessionSecrets } from './session-secret.ts';

declare module '../beans/definition.ts' {
  interface BeanTypes {
    readonly sessionManager: SessionManager;
    readonly memorySessionStore: MemorySessionStore;
    /** Of request scope: statistics of all sessions. */
    readonly sessions: Promise<Sessions>;
    /** Of session scope: the session of the caller. */
    readonly session: Promise<SessionContent>;
  }
}

const counter = (name: keyof SessionManager['counters']) => ({
  read: ({ counters }: SessionManager) => counters[name],
});

/** The readings of sessions. */
const managerView = {
  name: 'SessionManager',
  matches: (value: object): value is SessionManager => value instanceof SessionManager,
  readings: {
    store: { read: ({ store }: SessionManager) => store.state },
    failures: { read: ({ store }: SessionManager) => store.failures },
    created: counter('created'),
    read: counter('read'),
    stored: counter('stored'),
    refused: counter('refused'),
    destroyed: counter('destroyed'),
    storeName: { read: ({ storeName }: SessionManager) => storeName, isSetting: true },
    timeToLive: { read: ({ timeToLive }: SessionManager) => timeToLive, unit: 'ms', isSetting: true },
  },
};

/** Sets up sessions in the store with the highest priority, or in the one that the configuration names. */
export async function setUpSessions(builder: ApplicationBuilder): Promise<void> {
  const { registry } = builder;
  const { configuration, home, log, server } = builder.context;
  const settings = configuration.section('sessions', hostSettings.sessions);
  const { name: storeName, bean } = chooseStore(builder, settings);
  const secrets = await sessionSecrets(home, settings);
  for (const secret of secrets) builder.context.secrets.add(secret);
  const { timeToLive, storeDeadline, cookieName } = settings;
  const options = { timeToLive, storeDeadline, cookieName, secret: secrets, log };
  registry.define(hostOwner, 'sessionManager', {
    type: 'SessionManager',
    needs: [bean],
    create: (beans) => new SessionManager({ ...options, storeName, store: checkStore(beans[bean], storeName) }),
    start: () => log.info(`session store: ${storeName}`),
    stop: (manager) => manager.stop(),
  });
  builder.views.push(managerView);
  registry.define(hostOwner, 'sessions', {
    type: 'Sessions',
    needs: ['sessionManager'],
    scope: 'request',
    create: ({ sessionManager }) => Sessions.of(sessionManager),
  });
  registry.define(hostOwner, 'session', {
    type: 'SessionContent',
    needs: [],
    scope: 'session',
    create: (_beans, request) => readSessionContent(request.session),
  });
  const manager = () => registry.resolve('sessionManager');
  builder.addHealthCheck(hostOwner, 'sessions', () => manager().health());
  await server.register(sessionPlugin, { manager });
}

const inMemory: SessionStoreOffer = { name: 'memory', priority: 0, bean: 'memorySessionStore' };

/** The store that the settings name, or with `auto` the one with the highest priority; the memory store has the lowest. */
function chooseStore({ registry, storeOffers }: ApplicationBuilder, settings: SessionSettings): SessionStoreOffer {
  const { store: wanted, maximumInMemory, maximumMemory } = settings;
  const offers = [inMemory, ...storeOffers].sort((one, other) => other.priority - one.priority);
  const chosen = offers.find(({ name }) => wanted === 'auto' || name === wanted);
  if (chosen === undefined) {
    const names = ['auto', ...offers.map(({ name }) => name)].join(', ');
    throw hostError(
      'JIG_SESSION_STORE_UNKNOWN',
      `There is no session store ${JSON.stringify(wanted)}, which sessions.store names; there are ${names}.`,
    );
  }
  if (chosen === inMemory) {
    registry.define(hostOwner, inMemory.bean, {
      type: 'MemorySessionStore',
      create: () => new MemorySessionStore({ maximumSessions: maximumInMemory, maximumBytes: maximumMemory * 2 ** 20 }),
      start: (store) => store.start(),
      stop: (store) => store.stop(),
    });
  }
  return chosen;
}
