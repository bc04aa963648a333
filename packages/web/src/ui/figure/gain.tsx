import { formatGain, roundToZero } from '#format/money.ts'
import { toneOfGain } from '#ui/look/tone.ts'
import { ToneText } from './tone-text.tsx'

export interface GainProps {
  amount: number
  /** POS-12; POS-5: not in the baseline, where zero is green. */
  isZeroNeutral?: boolean
}

/** A gain or loss with its sign and colour; what is shown as 0.00 has neither. */
export function Gain({ amount, isZeroNeutral = true }: GainProps) {
  const shown = isZeroNeutral ? roundToZero(amount) : amount
  return <ToneText tone={toneOfGain(shown, isZeroNeutral)}>{formatGain(shown)}</ToneText>
}
