import ts from 'typescript5';

const formatHost = (folder: string) => ({
  getCanonicalFileName: (path: string) => path,
  getCurrentDirectory: () => folder,
  getNewLine: () => '\n',
});

/** The types of JavaScript and Node, which all programs share: parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();
const isOfPlatform = (path: string) => /\/(?:typescript5\/lib|@types\/node)\//.test(path);

function compilerHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (path, ...rest) => {
    if (!isOfPlatform(path)) return host.getSourceFile(path, ...rest);
    const file = parsed.get(path) ?? host.getSourceFile(path, ...rest);
    parsed.set(path, file);
    return file;
  };
  return { ...host, getSourceFile };
}

/**
 * What TypeScript 5.9 finds wrong in a folder, with the settings of a tsconfig.json. Without `skipLibCheck` it checks the types of libraries
 * too, but not those of JavaScript and Node, which would take it as long as all others.
 */
export function compileWithTypescript5(
  folder: string,
  tsconfig: unknown = ts.readConfigFile(`${folder}/tsconfig.json`, (path) => ts.sys.readFile(path)).config,
): string {
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(tsconfig, ts.sys, folder);
  const program = ts.createProgram(fileNames, options, compilerHost(options));
  const checked = program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && !file.fileName.includes('/@types/node/'));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return ts.formatDiagnostics(found, formatHost(folder));
}
