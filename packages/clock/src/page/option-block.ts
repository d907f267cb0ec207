/** The options of a select, none of them marked; `marks` are the places where each one's mark would go. */
export interface OptionBlock {
  readonly text: Buffer;
  readonly marks: Uint32Array;
}
