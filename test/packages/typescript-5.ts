import ts from 'typescript5';

const host = (folder: string) => ({
  getCanonicalFileName: (path: string) => path,
  getCurrentDirectory: () => folder,
  getNewLine: () => '\n',
});

/**
 * What TypeScript 5.9 finds wrong in a folder with a tsconfig.json. It checks the types of libraries too, but not those of JavaScript and
 * Node, which would take it as long as all others.
 */
export async function compileWithTypescript5(folder: string): Promise<string> {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (path) => ts.sys.readFile(path));
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options);
  const checked = program
    .getSourceFiles()
    .filter((file) => !program.isSourceFileDefaultLibrary(file) && !file.fileName.includes('/@types/node/'));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return ts.formatDiagnostics(found, host(folder));
}
