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
