/** Colour is only ever said as a meaning; tokens.css gives it a value in each theme. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'info'

export function toneText(tone: Tone): string {
  return `var(--${tone})`
}

export function toneFill(tone: Tone): string {
  return `var(--${tone}-fill)`
}

/** Losses are red, everything else green, as the specification has it for P&L. */
export function toneOfGain(amount: number): Tone {
  return amount < 0 ? 'bad' : 'good'
}

/** Specification, section 4: what runs is green, what stopped or failed red, what pauses yellow, anything else grey. */
const statusTones = new Map<string, Tone>([
  ['running', 'good'],
  ['active', 'good'],
  ['stopped', 'bad'],
  ['error', 'bad'],
  ['paused', 'warn'],
])

export function toneOfStatus(status: string): Tone {
  return statusTones.get(status) ?? 'calm'
}
