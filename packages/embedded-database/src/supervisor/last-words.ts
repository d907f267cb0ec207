/** The time and the process, which servers put before each line. */
const stamp = /^\d{4}-\d\d-\d\d[ T]+\d{1,2}:\d\d:\d\d(?:\.\d+)?(?: [A-Z]{3,5})?(?: \[?\d+\]?)? +/;
const complaint = /\b(?:FATAL|PANIC|ERROR)\b/;
const most = 3;

/** What a server that ended had to say, for use inside a sentence: its complaints, else the last lines. */
export function lastWords(lines: readonly string[]): string {
  const bare = lines.map((line) => line.replace(stamp, '').replace(/\s+/g, ' ').trim()).filter(Boolean);
  const complaints = bare.filter((line) => complaint.test(line));
  return (complaints.length > 0 ? complaints : bare).slice(-most).join(' / ');
}
