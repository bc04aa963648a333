import { type Tone, toneFill } from '#ui/look/tone.ts'
import classes from './status-dot.module.css'

export interface StatusDotProps {
  tone: Tone
}

/** Decoration: the status must also be shown as text. */
export function StatusDot({ tone }: StatusDotProps) {
  return <i className={classes.dot} data-tone={tone} style={{ background: toneFill(tone) }} aria-hidden />
}
