/** A table before it is drawn, on a terminal or on the page. A first cell that begins with two spaces stands below the line before it. */
export interface Grid {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
