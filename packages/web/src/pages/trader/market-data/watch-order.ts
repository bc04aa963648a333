/** MKT-30: the watchlist as chosen, without instruments that are gone; all instruments until it is changed. */
export function watchedOf(
  chosen: readonly string[] | undefined,
  listed: readonly string[],
): readonly string[] {
  if (chosen === undefined) return listed
  const known = new Set(listed)
  return [...new Set(chosen)].filter((instrument) => known.has(instrument))
}

/** Moves an entry to the index of another one. */
export function moveTo(list: readonly string[], entry: string, index: number): readonly string[] {
  if (!list.includes(entry)) return list
  const rest = list.filter((other) => other !== entry)
  const at = Math.min(Math.max(index, 0), rest.length)
  return [...rest.slice(0, at), entry, ...rest.slice(at)]
}
