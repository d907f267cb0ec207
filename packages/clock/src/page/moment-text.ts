/** What is filled in anew for every moment and every zone. */
export const holes = ['alerts', 'now', 'offset', 'until', 'isZoneChosen', 'time', 'date'] as const;
export type Hole = (typeof holes)[number];
export type HoleTexts = Readonly<Record<Hole, string>>;

/** A stretch of the page with holes in it, and the short texts after them. */
export class MomentText {
  readonly #holes: { readonly hole: Hole; readonly after: string }[] = [];

  add(hole: Hole, after: string): void {
    this.#holes.push({ hole, after });
  }

  fill(texts: HoleTexts): string {
    let filled = '';
    for (const { hole, after } of this.#holes) filled += texts[hole] + after;
    return filled;
  }
}
