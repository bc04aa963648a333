import type { Samples } from '#storage/samples/samples.ts'
import type { SampleMark } from '#storage/samples/samples-store.ts'

/** What a source adds to a second. */
export interface SourceReading {
  /** By series. A figure that is not known now is absent. */
  readonly values: ReadonlyMap<string, number>
  readonly marks?: readonly SampleMark[]
  /** See SampleBatch. */
  readonly notes?: ReadonlyMap<string, string>
}

export interface SampleSource {
  read(): SourceReading
  close?(): void
}

export interface Sampler {
  /** Records one second now. */
  tick(): Promise<void>
  close(): void
}

export interface SamplerOptions {
  samples: Samples
  sources: readonly SampleSource[]
  now?: () => number
  /** Called with a failure when it differs from the one before. */
  onFault?: (fault: unknown) => void
}

const SECOND_MS = 1000

/** Records all sources once a second, and the restart itself. A failed second is a gap, never a fault of trading. */
export function startSampler({ samples, sources, now = Date.now, onFault }: SamplerOptions): Sampler {
  let timer: NodeJS.Timeout | undefined
  let reported: string | undefined
  let isClosed = false
  /** Marks and notes wait here while the store fails. */
  let marks = restartMark(samples, now())
  const notes = new Map<string, string>()

  async function tick(): Promise<void> {
    try {
      const readings = sources.map((source) => source.read())
      marks = [...marks, ...readings.flatMap((reading) => reading.marks ?? [])].slice(-MAX_WAITING_MARKS)
      for (const reading of readings) for (const [name, text] of reading.notes ?? []) notes.set(name, text)
      const values = new Map(readings.flatMap((reading) => [...reading.values]))
      const batch = { at: Math.floor(now() / SECOND_MS), values, marks, notes: new Map(notes) }
      await samples.add(batch)
      marks = marks.filter((mark) => !batch.marks.includes(mark))
      for (const [name, text] of batch.notes) if (notes.get(name) === text) notes.delete(name)
      reported = undefined
    } catch (fault) {
      const text = String(fault)
      if (text !== reported) onFault?.(fault)
      reported = text
    }
  }

  function schedule(): void {
    // Just after the second begins, so that a late timer does not skip one.
    timer = setTimeout(run, SECOND_MS - (now() % SECOND_MS) + AFTER_BEGIN_MS).unref()
  }

  async function run(): Promise<void> {
    await tick()
    if (!isClosed) schedule()
  }

  schedule()
  return {
    tick,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const source of sources) source.close?.()
    },
  }
}

const AFTER_BEGIN_MS = 20
const MAX_WAITING_MARKS = 1000

/** None at the first start, when there is nothing to interrupt. */
function restartMark({ atStart }: Samples, nowMs: number): SampleMark[] {
  const { lastAt: last } = atStart
  if (last === undefined) return []
  const seconds = Math.round(nowMs / SECOND_MS) - last
  const pause = seconds > 1 ? ` Nothing was recorded for ${durationText(seconds)}.` : ''
  return [{ atMs: nowMs, kind: 'restart', text: `The server was started.${pause}` }]
}

function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (minutes === 0) return `${seconds} s`
  if (hours === 0) return `${minutes} min ${seconds % 60} s`
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`
}
