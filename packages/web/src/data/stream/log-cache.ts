import { type LogLine, parseChange, parseSnapshot, type ServerFrame } from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { appendLines, monitoringQueries } from '#data/monitoring.ts'
import { scheduleFrameWrite } from './write-schedulers.ts'

/** Writes the log lines of the stream to the query that polling writes too, once per painted frame. */
export class LogCache {
  readonly #client: QueryClient
  readonly #schedule: (write: () => void) => void
  #waiting: { lines: readonly LogLine[]; isSnapshot: boolean } | undefined

  constructor(client: QueryClient, schedule: (write: () => void) => void = scheduleFrameWrite) {
    this.#client = client
    this.#schedule = schedule
  }

  apply(frame: ServerFrame): void {
    if ((frame.type !== 'snapshot' && frame.type !== 'change') || frame.topic !== 'logs') return
    const isSnapshot = frame.type === 'snapshot'
    const parse = isSnapshot ? parseSnapshot : parseChange
    const lines = parse('logs', frame.data)?.lines
    if (lines === undefined) return
    if (this.#waiting === undefined) this.#schedule(() => this.#write())
    const before = isSnapshot ? undefined : this.#waiting
    this.#waiting = {
      lines: appendLines(before?.lines, lines),
      isSnapshot: isSnapshot || before?.isSnapshot === true,
    }
  }

  #write(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) return
    const { lines, isSnapshot } = waiting
    this.#client.setQueryData(monitoringQueries.logs().queryKey, (known) =>
      isSnapshot ? [...lines] : appendLines(known, lines),
    )
  }
}
