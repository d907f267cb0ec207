/** A drawing of lines before it is drawn. Sizes and costs are spread over powers of ten. */
export interface Chart {
  /** Without ending; the page refers to it. */
  readonly name: string;
  readonly title: string;
  readonly horizontal: { readonly name: string; readonly labels: readonly ChartLabel[] };
  readonly vertical: { readonly name: string };
  readonly lines: readonly ChartLine[];
}

export interface ChartLabel {
  readonly at: number;
  readonly text: string;
}

export interface ChartLine {
  readonly name: string;
  readonly points: readonly (readonly [size: number, cost: number])[];
  /** Not measured, but drawn to compare with. */
  readonly isReference?: boolean;
}
