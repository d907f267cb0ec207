/** How often a property is tried. `PROPERTY_RUNS=20` makes it twenty times as often, as the nightly run does. */
export const propertyRuns = (count: number): { readonly numRuns: number } => ({
  numRuns: count * Number(process.env.PROPERTY_RUNS ?? 1),
});
