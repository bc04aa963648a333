import { type CallPattern, matchCall } from './call-pattern.ts'

export interface Reply {
  status?: number
  statusText?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of a body. */
  text?: string
  headers?: Record<string, string>
}

export interface Incoming {
  method: string
  path: string
}

export type Outcome = 'drop' | 'hang' | Reply

interface Rule {
  pattern: CallPattern
  left: number
}

interface OutcomeRule extends Rule {
  outcome: Outcome
}

interface DelayRule extends Rule {
  wait: () => Promise<void>
}

/** Replies and delays that a test sets in place of the usual ones. The latest wins. */
export class ReplyOverrides {
  #outcomes: OutcomeRule[] = []
  #delays: DelayRule[] = []

  arrange(pattern: CallPattern, outcome: Outcome, times = Number.POSITIVE_INFINITY): void {
    this.#outcomes.unshift({ pattern, outcome, left: times })
  }

  delay(pattern: CallPattern, wait: () => Promise<void>): void {
    this.#delays.unshift({ pattern, wait, left: Number.POSITIVE_INFINITY })
  }

  outcomeOf(incoming: Incoming): Outcome | undefined {
    return take(this.#outcomes, incoming)?.outcome
  }

  async wait(incoming: Incoming): Promise<void> {
    await take(this.#delays, incoming)?.wait()
  }

  /** Restores the usual replies, for one pattern or for all. */
  clear(pattern?: CallPattern): void {
    const isOther = (rule: Rule): boolean => pattern !== undefined && rule.pattern !== pattern
    this.#outcomes = this.#outcomes.filter(isOther)
    this.#delays = this.#delays.filter(isOther)
  }
}

function take<R extends Rule>(rules: R[], { method, path }: Incoming): R | undefined {
  const rule = rules.find(({ pattern, left }) => left > 0 && matchCall(pattern, method, path) !== undefined)
  if (rule) rule.left -= 1
  return rule
}
