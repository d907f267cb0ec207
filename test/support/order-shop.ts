import type { BeanDescription, BeanSource } from '@jig/bean-inspection';

class Customer {
  name = 'Amara Osei';
  city = 'Lyon';
  country = 'fr';
  since = 2019;
  language = 'fr';
  newsletter = false;
}

class Order {
  readonly id: string;
  readonly customer = new Customer();
  readonly total: number;
  readonly note: string;
  readonly cardToken = 'tok_1111222233334444';
  readonly region: Region;

  constructor(region: Region, index: number) {
    this.region = region;
    this.id = `ord_${(99_999 - index).toString(36).toUpperCase().padStart(6, '7Q2M')}`;
    this.total = ((index * 37) % 200) + 0.9;
    this.note = index === 0 ? longNote : '';
  }
}

const longNote = `Please leave the parcel with the neighbours at number 14, second floor. If nobody is in, the shop at the corner keeps parcels until eight in the evening. ${'Thank you very much. '.repeat(100)}`;

class Hold {
  lines = 2;
  until = new Date('2026-11-15T20:20:00Z');
}

/** Categories inside of categories, deeper than a page shows. */
class Category {
  name: string;
  below: Category | undefined;

  constructor(depth: number) {
    this.name = depth === 0 ? 'Kitchen' : `Level ${depth}`;
    this.below = depth < 30 ? new Category(depth + 1) : undefined;
  }
}

class Region {
  currency = 'EUR';
  acceptsOrders = true;
  openedAt = new Date('2026-11-15T20:02:11.004Z');
  counters = { placed: 48_211, paid: 47_990, refused: 221, lastError: null as string | null };
  recent: Order[];
  apiKey = 'sk_live_abcdef123456';
  holds = new Map([
    ['ord_7Q2M9C', new Hold()],
    ['ord_7Q2M8Z', new Hold()],
  ]);
  tree = new Category(0);
  checksum = Uint8Array.from({ length: 32 }, (_, index) => (index * 73) % 256);
  zone = 'Europe/Paris';

  constructor(size: number) {
    this.recent = Array.from({ length: size }, (_, index) => new Order(this, index));
  }

  get nextDelivery(): string {
    const plan: { slots?: string[] } | undefined = undefined;
    return (plan as unknown as { slots: string[] }).slots[0] ?? '';
  }
}

class OrderService {
  regions: { eu: Region; us: Region };
  greeting = 'Willkommen, bienvenue, أهلا وسهلا';

  constructor(orders: number) {
    this.regions = { eu: new Region(orders), us: new Region(3) };
  }
}

class StockLevels {
  levels = new Map([
    ['kettle', 12],
    ['toaster', 0],
  ]);
}

class OrderController {
  routes = [
    { path: '/orders', method: 'POST', needsSession: true },
    { path: '/orders/:id', method: 'GET', needsSession: false },
  ];
  lastRefusal = { reason: 'the cart was empty because the session had ended 4 s before the order was placed' };
}

type Facts = Partial<BeanDescription> & { readonly value?: unknown; readonly create?: () => unknown };

/** The beans of a shop: created and not, per request, replaced, and two that need each other. */
export function orderShop({ orders = 250 } = {}) {
  const service = new OrderService(orders);
  const facts: Readonly<Record<string, Facts>> = {
    cart: { type: 'Cart', scope: 'session', dependencies: ['priceList'], create: () => ({ lines: [] }) },
    mailer: {
      type: 'Mailer',
      dependencies: ['configuration', 'secrets'],
      create: () => ({ server: 'smtp.example.com', password: 'hunter2-hunter2' }),
    },
    orderController: { dependencies: ['messages', 'orderService'], value: new OrderController() },
    orderRepository: { type: 'OrderRepository', dependencies: ['databasePool'], value: { rows: 48_211 } },
    orderService: {
      dependencies: ['mailer', 'orderRepository', 'paymentGateway', 'stockLevels'],
      value: service,
    },
    paymentGateway: {
      type: 'FakePaymentGateway',
      replaced: true,
      dependencies: ['secrets'],
      value: { answers: ['accept', 'accept', 'refuse'] },
    },
    priceList: { type: 'PriceList', dependencies: ['configuration'], value: { prices: { kettle: 24.5, toaster: 39 } } },
    stockLevels: { dependencies: ['databasePool', 'orderService'], value: new StockLevels() },
    configuration: {
      type: 'Configuration',
      owner: '@jig/application',
      value: {
        settings: {
          sessions: { store: 'database', timeToLive: 1_800_000, storeDeadline: 1000 },
          redis: { prefix: { value: 'jig:session:', origin: 'default' } },
        },
      },
    },
    messages: { type: 'Messages', owner: '@jig/application', value: { catalogs: [{ loaded: ['en', 'de', 'fr'] }] } },
    secrets: { type: 'Secrets', owner: '@jig/application', value: { count: 4 } },
    sessions: {
      type: 'Sessions',
      owner: '@jig/application',
      scope: 'request',
      dependencies: ['sessionLayer'],
      create: () => ({ live: true }),
    },
    sessionLayer: {
      type: 'SessionLayer',
      owner: '@jig/application',
      dependencies: ['databaseSessionStore'],
      value: { storeName: 'database', limits: { note: 'one session keeps at most 65,536 bytes' } },
    },
    database: {
      type: 'EmbeddedDatabase',
      owner: '@jig/embedded-database',
      value: { state: 'running', engine: 'postgres' },
    },
    databasePool: {
      type: 'DatabasePool',
      owner: '@jig/embedded-database',
      dependencies: ['database'],
      value: { ended: false, _clients: [1, 2, 3, 4], _idle: [4], _pendingQueue: [], options: { host: 'db', max: 10 } },
    },
    databaseSessionStore: {
      type: 'DatabaseSessionStore',
      owner: '@jig/embedded-database',
      dependencies: ['database', 'databasePool'],
      value: { pool: { open: 2 } },
    },
  };
  const created = new Map<string, unknown>(
    Object.entries(facts).flatMap(([name, fact]) => ('value' in fact ? [[name, fact.value] as const] : [])),
  );
  const source: BeanSource = {
    describe: () =>
      Object.entries(facts).map(([name, fact]) => ({
        name,
        type: fact.type ?? (fact.value as object).constructor.name,
        scope: fact.scope ?? 'singleton',
        owner: fact.owner ?? '@example/order-shop',
        dependencies: fact.dependencies ?? [],
        instantiated: created.has(name),
        replaced: fact.replaced ?? false,
      })),
    has: (name) => Object.hasOwn(facts, name),
    peek: (name) => (created.has(name) ? { value: created.get(name) } : undefined),
    async get(name) {
      const fact = facts[name];
      const value = created.get(name) ?? fact?.create?.();
      if (fact?.scope === undefined) created.set(name, value);
      return { value };
    },
  };
  return { source, service };
}
