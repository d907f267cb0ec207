import type { Shape } from './shape.ts';

/** Elements of lists within lists share one site from here on, so that sites stay few. */
const DEEPEST_ELEMENT = 3;

const MOST_SHAPES = 4;

/** A place where values are found, such as one property of one class, and the shapes that were found there. */
export class Site {
  shape: Shape | undefined;
  readonly others: Shape[] = [];
  readonly #level: number;
  #element: Site | undefined;

  constructor(level = 0) {
    this.#level = level;
  }

  /** The site of the items or values inside a container found here. */
  get element(): Site {
    this.#element ??= this.#level < DEEPEST_ELEMENT ? new Site(this.#level + 1) : this;
    return this.#element;
  }

  remember(shape: Shape): void {
    if (this.shape !== undefined && !this.others.includes(this.shape)) {
      this.others.unshift(this.shape);
      this.others.length = Math.min(this.others.length, MOST_SHAPES);
    }
    this.shape = shape;
  }
}
