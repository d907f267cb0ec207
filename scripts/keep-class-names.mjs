import { readFile, writeFile } from 'node:fs/promises';

const renamedClass = /^( *var (\w+) = class _\2\b[^{\n]*\{)$/gm;

/** For esbuild, which renames a class that speaks of itself: beans are shown under the names of their classes. */
export const keepClassNames = {
  name: 'keep-class-names',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(async ({ metafile }) => {
      const files = Object.keys(metafile?.outputs ?? {}).filter((path) => /\.c?js$/.test(path));
      for (const file of files) {
        const text = await readFile(file, 'utf8');
        const named = text.replace(renamedClass, '$1 static { Object.defineProperty(this, "name", { value: "$2" }); }');
        if (named !== text) await writeFile(file, named);
      }
    });
  },
};
