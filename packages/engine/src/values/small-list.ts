/**
 * Adds an item to a list that mostly holds one or two: a list literal allocates no spare capacity. Returns the list to
 * use from now on; only one of three or more is changed.
 */
export function withItem<Item>(list: Item[], item: Item): Item[] {
  // By index, since destructuring a list runs its iterator.
  const first = list[0]
  if (first === undefined) return [item]
  if (list.length === 1) return [first, item]
  list.push(item)
  return list
}
