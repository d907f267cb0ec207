import type { Shape, Site } from './writing.ts';

/** Elements of lists within lists share one site from here on, so that sites stay few. */
const deepestElement = 3;

const mostShapes = 4;

/** A site that remembers the few shapes it has seen. */
export class SeenSite implements Site {
  shape: Shape | undefined;
  readonly others: Shape[] = [];
  listsRead = 0;
  readonly #level: number;
  #element: SeenSite | undefined;

  constructor(level = 0) {
    this.#level = level;
  }

  get element(): SeenSite {
    this.#element ??= this.#level < deepestElement ? new SeenSite(this.#level + 1) : this;
    return this.#element;
  }

  remember(shape: Shape): void {
    if (this.shape !== undefined && !this.others.includes(this.shape)) {
      this.others.unshift(this.shape);
      this.others.length = Math.min(this.others.length, mostShapes);
    }
    this.shape = shape;
  }
}
