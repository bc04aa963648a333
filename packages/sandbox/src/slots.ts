/** Lets so many tasks run at a time; others wait in the order they came. */
export class Slots {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      // A waiting task takes over the slot.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
