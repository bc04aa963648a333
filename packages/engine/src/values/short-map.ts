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
    const place = this.#placeOf(key)
    return place < 0 ? undefined : this.#values[place]
  }

  has(key: Key): boolean {
    return this.#hashed?.has(key) ?? this.#placeOf(key) >= 0
  }

  set(key: Key, value: Value): void {
    if (this.#hashed === null && this.#keys.length === LINEAR_SEARCH_MAX) this.#hashAll()
    if (this.#hashed !== null) {
      this.#hashed.set(key, value)
      return
    }
    const place = this.#placeOf(key)
    if (place >= 0) this.#values[place] = value
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
    const place = this.#placeOf(key)
    if (place >= 0) this.#closeGap(place)
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
    for (let place = from + 1; place < keys.length; place++) {
      // Keys and values have the same indices, without gaps.
      keys[place - 1] = keys[place] as Key
      // Keys and values have the same indices.
      values[place - 1] = values[place] as Value
    }
    keys.pop()
    values.pop()
  }

  #placeOf(key: Key): number {
    const keys = this.#keys
    // Recent keys are looked up most.
    let place = keys.length - 1
    while (place >= 0 && keys[place] !== key) place -= 1
    return place
  }

  #hashAll(): void {
    // Keys and values have the same indices.
    this.#hashed = new Map(this.#keys.map((key, place) => [key, this.#values[place] as Value]))
    this.#keys.length = this.#values.length = 0
  }
}
