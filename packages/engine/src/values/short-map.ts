/** Up to so many keys are compared one by one. */
const FEW = 12

/**
 * A map for keys of which there are mostly a handful: these are compared, not hashed, since hashing a text that was
 * just made costs more than all else that is done with it. Keys stay in the order in which they came.
 */
export class ShortMap<Key extends string, Value> {
  readonly #keys: Key[] = []
  readonly #values: Value[] = []
  /** All of them, once there were more than a few. */
  #hashed: Map<Key, Value> | null = null
  /** Stands at the first of them: a new one would first have to pass all that were taken out, up to as many as there are. */
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
    if (this.#hashed === null && this.#keys.length === FEW) this.#hashAll()
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

  /** Puts in a key that is known not to be there yet. */
  add(key: Key, value: Value): void {
    if (this.#hashed === null && this.#keys.length < FEW) {
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

  /** Takes out what came first. */
  deleteFirst(): void {
    if (this.#hashed === null) {
      if (this.#keys.length > 0) this.#closeGap(0)
      return
    }
    this.#first ??= this.#hashed.keys()
    const { done, value } = this.#first.next()
    // One that has come to the end stays there, whatever comes after.
    if (done) this.#first = null
    else this.#hashed.delete(value)
  }

  keys(): Iterable<Key> {
    return this.#hashed?.keys() ?? this.#keys
  }

  values(): Iterable<Value> {
    return this.#hashed?.values() ?? this.#values
  }

  /** Two maps with the same keys and values are equal, however they hold them. */
  *[Symbol.iterator](): Iterator<[Key, Value]> {
    // A key that is listed has its value.
    for (const key of this.keys()) yield [key, this.get(key) as Value]
  }

  /** What writes it down sees an ordinary map. */
  toJSON(): Map<Key, Value> {
    return new Map(this)
  }

  /** Of so few, each is moved by one sooner than a list is cut. */
  #closeGap(from: number): void {
    const keys = this.#keys
    const values = this.#values
    for (let place = from + 1; place < keys.length; place++) {
      // Keys and values stand at the same places, without a gap.
      keys[place - 1] = keys[place] as Key
      // The same.
      values[place - 1] = values[place] as Value
    }
    keys.pop()
    values.pop()
  }

  #placeOf(key: Key): number {
    const keys = this.#keys
    // What came last is what is asked for most.
    let place = keys.length - 1
    while (place >= 0 && keys[place] !== key) place -= 1
    return place
  }

  #hashAll(): void {
    // Keys and values stand at the same places.
    this.#hashed = new Map(this.#keys.map((key, place) => [key, this.#values[place] as Value]))
    this.#keys.length = this.#values.length = 0
  }
}
