/** A colour by its meaning; tokens.css defines it for each theme. */
export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'info'

export function toneText(tone: Tone): string {
  return `var(--${tone})`
}

export function toneFill(tone: Tone): string {
  return `var(--${tone}-fill)`
}

/** POS-5: losses are red, everything else green. POS-12: with a live backend zero is neutral. */
export function toneOfGain(amount: number, isZeroNeutral = false): Tone {
  if (amount === 0 && isZeroNeutral) return 'calm'
  return amount < 0 ? 'bad' : 'good'
}

/** RISK-7: the use of a limit, with exclusive bounds. */
export function toneOfUse(percent: number): Tone {
  if (percent > 80) return 'bad'
  return percent > 60 ? 'warn' : 'good'
}

/** Specification, section 4; any other status is grey. */
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
