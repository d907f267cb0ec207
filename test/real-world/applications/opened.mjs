/** Paths of the own properties of an object and of what it holds: what looking would change if it changed anything. */
function traces(value, path, levels = 2) {
  if (Object(value) !== value || levels === 0) return [];
  return Reflect.ownKeys(value).flatMap((key) => {
    const own = `${path}/${String(key)}`;
    return [own, ...traces(Object.getOwnPropertyDescriptor(value, key).value, own, levels - 1)];
  });
}

/**
 * Says that an application is open at a port, and answers when it is asked for the traces of its singletons.
 * @param singletons gives `[name, value]` of each that there is
 */
export function opened(port, singletons) {
  process.on('message', () => process.send(singletons().flatMap(([name, value]) => traces(value, name))));
  process.on('disconnect', () => process.exit());
  process.send({ port });
}

/** The beans of a container that exist. */
export const existingIn = (source) => () =>
  source
    .describe()
    .filter(({ instantiated }) => instantiated === true)
    .map(({ name }) => [name, source.peek(name)?.value]);

export const redis = { host: '127.0.0.1', port: Number(process.env.REDIS_PORT), password: process.env.REDIS_PASSWORD };
export const databaseUrl = process.env.DATABASE_URL;
