/** The number of single-character edits between two texts (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The known name closest to a misspelt one, if any is close enough. */
export function nearestName(misspelt: string, known: Iterable<string>): string | undefined {
  const asTyped = misspelt.slice(0, 64).toLowerCase();
  let nearest: string | undefined;
  // Of a short name, some character must be right.
  let limit = Math.min(Math.max(2, Math.ceil(asTyped.length / 3)), asTyped.length - 1) + 1;
  for (const name of known) {
    const distance = editDistance(asTyped, name.toLowerCase());
    if (distance < limit) {
      limit = distance;
      nearest = name;
    }
  }
  return nearest;
}
