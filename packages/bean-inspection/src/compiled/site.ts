import type { Shape, Site } from './writing.ts';

/** Elements of lists within lists share one site from here on, so that sites stay few. */
const DEEPEST_ELEMENT = 3;

const MOST_SHAPES = 4;

/** A site that remembers the few shapes it has seen. */
export class SeenSite implements Site {
  shape: Shape | undefined;
  readonly others: Shape[] = [];
  readonly #level: number;
  #element: SeenSite | undefined;

  constructor(level = 0) {
    this.#level = level;
  }

  get element(): SeenSite {
    this.#element ??= this.#level < DEEPEST_ELEMENT ? new SeenSite(this.#level + 1) : this;
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
