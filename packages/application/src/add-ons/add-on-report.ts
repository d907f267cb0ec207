export interface AddOnReport {
  readonly name: string;
  readonly version: string;
  readonly state: 'on' | 'off';
  readonly because: string;
}

/** What the bean `addOns` shows: which add-ons were found, whether they are on, and why. */
export class AddOns {
  readonly #reports = new Map<string, AddOnReport>();

  report(report: AddOnReport): void {
    this.#reports.set(report.name, report);
  }

  /** An add-on whose routes are left out is off, whatever else it does. */
  leaveOut(name: string, because: string): void {
    const report = this.#reports.get(name);
    if (report !== undefined) this.#reports.set(name, { ...report, state: 'off', because });
  }

  isOff(name: string): boolean {
    return this.#reports.get(name)?.state === 'off';
  }

  get found(): readonly AddOnReport[] {
    return [...this.#reports.values()];
  }
}
