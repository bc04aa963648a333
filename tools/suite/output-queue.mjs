/**
 * Shows what several writers write at once as if they had written one after the other: the first writer's output
 * appears at once, the others' when those before them have ended.
 * @param {(chunk: Buffer | string) => void} show
 * @param {number} writers
 */
export function createOutputQueue(show, writers) {
  /** @type {{ chunks: (Buffer | string)[], hasEnded: boolean }[]} */
  const queue = Array.from({ length: writers }, () => ({ chunks: [], hasEnded: false }))

  function showWhatIsDue() {
    for (const writer of queue) {
      for (const chunk of writer.chunks.splice(0)) show(chunk)
      if (!writer.hasEnded) return
    }
  }

  return queue.map((writer) => ({
    /** @param {Buffer | string} chunk */
    write(chunk) {
      writer.chunks.push(chunk)
      showWhatIsDue()
    },
    end() {
      writer.hasEnded = true
      showWhatIsDue()
    },
  }))
}
