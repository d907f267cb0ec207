/**
 * Loads a module when it is needed. Nobody else in the host writes `import()`: in the bundle that runs from V8's code cache it would
 * fail, and this function is replaced by one that works there.
 */
export function importModule<Module>(specifier: string): Promise<Module> {
  return import(specifier);
}
