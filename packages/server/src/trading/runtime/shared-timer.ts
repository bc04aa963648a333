const MAX_WAITED_TICKS = 3

/**
 * Decides when the desk gets its timer, which delivers the messages of venues. While commands arrive it waits for the next
 * of them, for a few ticks at most: a commit of its own would take as long as theirs and hold them up.
 */
export class SharedTimer {
  #isDue = false
  #hadCommands = false
  #waitedTicks = 0

  /** Returns whether the timer needs a turn now. */
  tick(): boolean {
    this.#isDue = true
    if (!this.#hadCommands || this.#waitedTicks === MAX_WAITED_TICKS) return true
    this.#waitedTicks += 1
    return false
  }

  /** Begins a turn with so many commands. Returns whether the timer is due in it. */
  beginTurn(commands: number): boolean {
    const isDue = this.#isDue
    this.#isDue = false
    this.#hadCommands = commands > 0
    this.#waitedTicks = 0
    return isDue
  }
}
