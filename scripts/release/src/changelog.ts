/** The lines of a version in a changelog: what stands between its heading and the next one of the same level. */
function sectionOf(heading: string, changelog: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  return sections.find((section) => section.split('\n')[0]?.trim() === heading);
}

const entriesIn = (section: string | undefined) => section?.match(/^- \S.*$/gm) ?? [];

/** What keeps a version from being released, by the changelog: one sentence for each. */
export function changelogProblems(version: string, changelog: string): readonly string[] {
  const section = sectionOf(version, changelog);
  const waiting = entriesIn(sectionOf('Unreleased', changelog));
  return [
    ...(section === undefined ? [`CHANGELOG.md has no heading "## ${version}".`] : []),
    ...(section !== undefined && entriesIn(section).length === 0
      ? [`CHANGELOG.md has no entries for ${version}; each change that a user notices is one.`]
      : []),
    ...(waiting.length > 0
      ? [`CHANGELOG.md has ${waiting.length} entries under "Unreleased"; move them below "## ${version}".`]
      : []),
  ];
}

/** The text of a version, for the notes of its release. */
export const releaseNotes = (version: string, changelog: string) =>
  (sectionOf(version, changelog) ?? '').split('\n').slice(1).join('\n').trim();
