import type { AlertRuleInput, AlertWatch } from '@binnacle/contract'

/** One figure that a rule watches. */
export interface AlertFigure {
  /** What it belongs to: an instrument, a component, a venue; empty for the whole account or server. */
  readonly subject: string
  readonly value: number
  /** The tick of a price, by which it is shown. */
  readonly tick?: number
  /** What is known beside the value, such as the reason of the last refusal, as a sentence. */
  readonly detail?: string
  /** Where there are several engines: the one that it is of. */
  readonly engine?: FigureEngine | undefined
}

export interface FigureEngine {
  readonly name: string
  /** Whether stored subjects carry its name; those of the first engine are as with one. */
  readonly isNamed: boolean
}

/** By which a figure is stored: equal subjects of several engines are several. */
export function storedSubject({ engine, subject }: AlertFigure): string {
  return engine?.isNamed ? `${engine.name}/${subject}` : subject
}

export type WatchedRule = Pick<AlertRuleInput, 'watch' | 'subject' | 'window_s'>

/** The figures of one part of the server. A figure that is not known now is absent. */
export interface FigureSource {
  readonly engine?: FigureEngine | undefined
  readonly watches: readonly AlertWatch[]
  read(rule: WatchedRule, nowMs: number): readonly AlertFigure[]
  /** The subjects that a rule may name; undefined: it has none. */
  subjects(watch: AlertWatch): readonly string[] | undefined
  /** Calls the listener when figures changed that must not wait for the next second. */
  follow?(listener: (watches: readonly AlertWatch[]) => void): () => void
}

/** Failures of the past, counted over the window of a rule. */
export class FailureLog {
  #entries: { atMs: number; text: string }[] = []

  add(atMs: number, text: string): void {
    this.#entries.push({ atMs, text })
    if (this.#entries.length > MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES)
  }

  figure(windowS: number, nowMs: number): AlertFigure {
    const recent = this.#entries.filter(({ atMs }) => atMs > nowMs - windowS * 1000)
    const last = recent.at(-1)
    return { subject: '', value: recent.length, ...(last && { detail: last.text }) }
  }
}

const MAX_ENTRIES = 1000
