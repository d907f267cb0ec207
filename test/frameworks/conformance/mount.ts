import type { BeanInspectionOptions } from '@jig/bean-inspection';
import type { TestedBeans } from './beans.ts';

export interface RunningMount {
  /** Without a slash at the end. */
  readonly url: string;
  readonly stop: () => PromiseLike<unknown>;
  /** Stops as most applications do: it waits for its connections. */
  readonly finish?: () => PromiseLike<unknown>;
  /** What `observeReadings` takes. */
  readonly inspection?: object | undefined;
}

/** Something that beans are inspected in. The application answers `hello` at `/hello`. */
export interface Mount {
  readonly name: string;
  readonly start: (beans: TestedBeans, options: BeanInspectionOptions) => Promise<RunningMount>;
  /** How a refusal calls an option. */
  readonly optionName?: (option: string) => string;
  /** Our host: the prefix is `/jig`, and what decides about production is tested elsewhere. */
  readonly isHost?: boolean;
  /** Whether a body parser stands before the mount. */
  readonly readsBodies?: boolean;
}
