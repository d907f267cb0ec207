// Loaded into a service before its own code: keeps the bundles that it runs, and when asked writes what V8 has compiled of them.
import { renameSync, writeFileSync } from 'node:fs';

const bundles = [];
globalThis[Symbol.for('jig.bundles')] = bundles;

process.on('message', () => {
  for (const { filename, script } of bundles) {
    // Whole or not at all: V8 trusts what it reads.
    writeFileSync(`${filename}.cache.draft`, script.createCachedData());
    renameSync(`${filename}.cache.draft`, `${filename}.cache`);
  }
  process.send(bundles.length);
});
process.channel?.unref();
