import { type Tone, toneFill } from '#ui/look/tone.ts'
import classes from './meter.module.css'

export interface MeterProps {
  label: string
  percent: number
  tone: Tone
  /** What would be added, hatched after what is used; negative when it would shrink. */
  addedPercent?: number
}

export function Meter({ label, percent, tone, addedPercent = 0 }: MeterProps) {
  const shown = clamp(percent)
  const after = clamp(percent + addedPercent)
  const used = Math.min(shown, after)
  const hatched = { left: `${used}%`, width: `${Math.abs(after - shown)}%`, color: toneFill(tone) }
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
      <i className={classes.fill} style={{ width: `${used}%`, background: toneFill(tone) }} />
      {after !== shown && <i className={classes.added} style={hatched} />}
    </div>
  )
}

function clamp(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}
