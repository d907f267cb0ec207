/** Every escape in JSON, so that a backslash that stands for itself is passed over; and controls that JSON leaves as they are. */
const escapes = /\\(?:u[\da-f]{4}|[^u])|[\u007f-\u009f]/g;
const kept = /^\\(?:[nt"\\/]|u(?!00[01]))/;

/** A line of JSON without the control characters that a terminal would obey; line feeds and tabs stay. */
export function withoutTerminalCommands(line: string): string {
  return line.replace(escapes, (found) => (kept.test(found) ? found : '\u{fffd}'));
}
