/** Up to this many keys are compared linearly. */
const LINEAR_SEARCH_MAX = 12

/**
 * A map for mostly a handful of keys: these are compared, not hashed, since hashing a new string costs more than the
 * rest of the lookup. Keys keep their insertion order.
 */
export class ShortMap<Key extends string, Value> {
  readonly #keys: Key[] = []
  readonly #values: Value[] = []
  /** The hash map, once there are more keys than that. */
  #hashed: Map<Key, Value> | null = null
  /** An iterator at the first key: a new one would first skip all deleted entries. */
  #first: MapIterator<Key> | null = null

  get size(): number {
    return this.#hashed?.size ?? this.#keys.length
  }

  get(key: Key): Value | undefined {
    if (this.#hashed !== null) return this.#hashed.get(key)
    const index = this.#indexOf(key)
    return index < 0 ? undefined : this.#values[index]
  }

  has(key: Key): boolean {
    return this.#hashed?.has(key) ?? this.#indexOf(key) >= 0
  }

  set(key: Key, value: Value): void {
    if (this.#hashed === null && this.#keys.length === LINEAR_SEARCH_MAX) this.#hashAll()
    if (this.#hashed !== null) {
      this.#hashed.set(key, value)
      return
    }
    const index = this.#indexOf(key)
    if (index >= 0) this.#values[index] = value
    else {
      this.#keys.push(key)
      this.#values.push(value)
    }
  }

  /** Adds a key that is known to be absent. */
  add(key: Key, value: Value): void {
    if (this.#hashed === null && this.#keys.length < LINEAR_SEARCH_MAX) {
      this.#keys.push(key)
      this.#values.push(value)
    } else this.set(key, value)
  }

  delete(key: Key): void {
    if (this.#hashed !== null) {
      this.#hashed.delete(key)
      return
    }
    const index = this.#indexOf(key)
    if (index >= 0) this.#closeGap(index)
  }

  /** Deletes the oldest key. */
  deleteFirst(): void {
    if (this.#hashed === null) {
      if (this.#keys.length > 0) this.#closeGap(0)
      return
    }
    this.#first ??= this.#hashed.keys()
    const { done, value } = this.#first.next()
    // A finished iterator stays finished even if keys are added.
    if (done) this.#first = null
    else this.#hashed.delete(value)
  }

  keys(): Iterable<Key> {
    return this.#hashed?.keys() ?? this.#keys
  }

  values(): Iterable<Value> {
    return this.#hashed?.values() ?? this.#values
  }

  /** Maps with the same keys and values are equal, whatever their representation. */
  *[Symbol.iterator](): Iterator<[Key, Value]> {
    // Every listed key has a value.
    for (const key of this.keys()) yield [key, this.get(key) as Value]
  }

  /** Serialised as an ordinary map. */
  toJSON(): Map<Key, Value> {
    return new Map(this)
  }

  /** For so few entries, shifting is faster than splice. */
  #closeGap(from: number): void {
    const keys = this.#keys
    const values = this.#values
    for (let index = from + 1; index < keys.length; index++) {
      // Keys and values have the same indices, without gaps.
      keys[index - 1] = keys[index] as Key
      // Keys and values have the same indices.
      values[index - 1] = values[index] as Value
    }
    keys.pop()
    values.pop()
  }

  #indexOf(key: Key): number {
    const keys = this.#keys
    // Recent keys are looked up most.
    let index = keys.length - 1
    while (index >= 0 && keys[index] !== key) index -= 1
    return index
  }

  #hashAll(): void {
    // Keys and values have the same indices.
    this.#hashed = new Map(this.#keys.map((key, index) => [key, this.#values[index] as Value]))
    this.#keys.length = this.#values.length = 0
  }
}
