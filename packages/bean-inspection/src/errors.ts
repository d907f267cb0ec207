/** An option that cannot be taken, and what would be. */
export class InspectionOptionError extends RangeError {
  readonly code = 'JIG_INSPECTION_OPTION';
  readonly option: string;
  readonly expected: string;

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}`);
    this.name = 'InspectionOptionError';
    this.option = option;
    this.expected = expected;
  }
}

/** A JSON Pointer that leads nowhere in the inspected value. */
export class PartNotFoundError extends Error {
  readonly code = 'JIG_INSPECTION_NO_SUCH_PART';
  readonly pointer: string;

  constructor(pointer: string) {
    super('There is no such part in the inspected value');
    this.name = 'PartNotFoundError';
    this.pointer = pointer;
  }
}
