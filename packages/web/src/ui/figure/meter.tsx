import { type Tone, toneFill } from '#ui/look/tone.ts'
import classes from './meter.module.css'

export interface MeterProps {
  label: string
  percent: number
  tone: Tone
}

export function Meter({ label, percent, tone }: MeterProps) {
  const shown = Math.min(100, Math.max(0, percent))
  return (
    // biome-ignore lint/a11y/useSemanticElements: the native meter cannot be coloured by tone
    <div
      className={classes.track}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(shown * 100) / 100}
      data-tone={tone}
    >
      <i className={classes.fill} style={{ width: `${shown}%`, background: toneFill(tone) }} />
    </div>
  )
}
