import type { BeanScope, BeanSource } from '@jig/bean-inspection';

const longNote = `Please leave the parcel with the neighbours at number 14, second floor. If nobody is in, the shop at the corner keeps parcels until eight in the evening. ${'Thank you very much. '.repeat(100)}`;

class Order {
  readonly id: string;
  readonly customer = { name: 'Amara Osei', city: 'Lyon', country: 'fr', since: 2019, newsletter: false };
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

/** Categories inside of categories, deeper than a page shows. */
const category = (depth: number): object => ({
  name: depth === 0 ? 'Kitchen' : `Level ${depth}`,
  below: depth < 30 ? category(depth + 1) : undefined,
});

class Region {
  currency = 'EUR';
  acceptsOrders = true;
  openedAt = new Date('2026-11-15T20:02:11.004Z');
  counters = { placed: 48_211, paid: 47_990, refused: 221, lastError: null as string | null };
  recent: Order[];
  apiKey = 'sk_live_abcdef123456';
  holds = new Map(
    ['ord_7Q2M9C', 'ord_7Q2M8Z'].map((id) => [id, { lines: 2, until: new Date('2026-11-15T20:20:00Z') }]),
  );
  tree = category(0);
  checksum = Uint8Array.from({ length: 32 }, (_, index) => (index * 73) % 256);

  constructor(size: number) {
    this.recent = Array.from({ length: size }, (_, index) => new Order(this, index));
  }

  get nextDelivery(): string {
    throw new TypeError("Cannot read properties of undefined (reading 'slots')");
  }
}

class OrderService {
  regions: { eu: Region; us: Region };
  greeting = 'Willkommen, bienvenue, أهلا وسهلا';

  constructor(orders: number) {
    this.regions = { eu: new Region(orders), us: new Region(3) };
  }
}

const routes = [
  { path: '/orders', method: 'POST', needsSession: true },
  { path: '/orders/:id', method: 'GET', needsSession: false },
];
const refusal = { reason: 'the cart was empty because the session had ended 4 s before the order was placed' };
const stock = new Map([
  ['kettle', 12],
  ['toaster', 0],
]);
const pool = { ended: false, _clients: [1, 2, 3, 4], _idle: [4], _pendingQueue: [], options: { host: 'db', max: 10 } };
const settings = {
  sessions: { store: 'database', timeToLive: 1_800_000, storeDeadline: 1000 },
  redis: { prefix: { value: 'jig:session:', origin: 'default' } },
};

const shop = '@example/order-shop';
const host = '@jig/application';
const database = '@jig/embedded-database';
const scopes: Readonly<Record<string, BeanScope>> = { cart: 'session', sessions: 'request' };

type Row = readonly [name: string, type: string, owner: string, dependencies: readonly string[], value: unknown];

/** The beans of a shop. A function as the value creates one that does not exist yet; two of them need each other. */
const rowsOf = (service: OrderService): readonly Row[] => [
  ['cart', 'Cart', shop, ['priceList'], () => ({ lines: [] })],
  ['mailer', 'Mailer', shop, ['configuration', 'secrets'], () => ({ server: 'smtp.example.com', password: 'hunter2' })],
  ['orderController', 'OrderController', shop, ['messages', 'orderService'], { routes, lastRefusal: refusal }],
  ['orderRepository', 'OrderRepository', shop, ['databasePool'], { rows: 48_211 }],
  ['orderService', 'OrderService', shop, ['mailer', 'orderRepository', 'paymentGateway', 'stockLevels'], service],
  ['paymentGateway', 'FakePaymentGateway', shop, ['secrets'], { answers: ['accept', 'accept', 'refuse'] }],
  ['priceList', 'PriceList', shop, ['configuration'], { prices: { kettle: 24.5, toaster: 39 } }],
  ['stockLevels', 'StockLevels', shop, ['databasePool', 'orderService'], { levels: stock }],
  ['configuration', 'Configuration', host, [], { settings }],
  ['messages', 'Messages', host, [], { catalogs: [{ loaded: ['en', 'de', 'fr'] }] }],
  ['secrets', 'Secrets', host, [], { count: 4 }],
  ['sessions', 'Sessions', host, ['sessionLayer'], () => ({ live: true })],
  ['sessionLayer', 'SessionLayer', host, ['databaseSessionStore'], { storeName: 'database' }],
  ['database', 'EmbeddedDatabase', database, [], { state: 'running', engine: 'postgres' }],
  ['databasePool', 'DatabasePool', database, ['database'], pool],
  ['databaseSessionStore', 'DatabaseSessionStore', database, ['database', 'databasePool'], { pool: { open: 2 } }],
];

export function orderShop({ orders = 250 } = {}) {
  const service = new OrderService(orders);
  const rows = rowsOf(service);
  const created = new Map(rows.flatMap(([name, , , , value]) => (typeof value === 'function' ? [] : [[name, value]])));
  const source: BeanSource = {
    describe: () =>
      rows.map(([name, type, owner, dependencies]) => ({
        name,
        type,
        scope: scopes[name] ?? 'singleton',
        owner,
        dependencies,
        instantiated: created.has(name),
        replaced: name === 'paymentGateway',
      })),
    has: (name) => rows.some(([each]) => each === name),
    peek: (name) => (created.has(name) ? { value: created.get(name) } : undefined),
    async get(name) {
      const create = rows.find(([each]) => each === name)?.[4];
      const value = typeof create === 'function' ? (created.get(name) ?? create()) : create;
      if (scopes[name] === undefined) created.set(name, value);
      return { value };
    },
  };
  return { source, service };
}
