/** More columns than those of so many tables nobody wants completed at once. */
const MOST = 8

/** The tables a statement speaks of: their columns are worth asking for, those of all others are not. */
export function mentionedTables(statement: string, tables: readonly string[]): readonly string[] {
  const lower = statement.toLowerCase()
  return tables.filter((name) => holdsWord(lower, name.toLowerCase())).slice(0, MOST)
}

function holdsWord(text: string, word: string): boolean {
  const ends = text.split(word)
  return ends.some(
    (before, index) =>
      index + 1 < ends.length && !isWordPart(before.at(-1)) && !isWordPart(ends[index + 1]?.at(0)),
  )
}

function isWordPart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character)
}
