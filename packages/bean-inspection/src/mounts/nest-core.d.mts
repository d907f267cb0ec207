export declare class Logger {
  constructor(context: string);
  log(message: string): void;
  warn(message: string): void;
  error(message: string, error: unknown): void;
}

export declare function Inject(token: unknown): (target: object, key: undefined, index: number) => void;

export declare class HttpAdapterHost {}

export declare class ModulesContainer {}
