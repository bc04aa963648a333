import { type Tone, toneFill } from '#ui/look/tone.ts'
import classes from './status-dot.module.css'

export interface StatusDotProps {
  tone: Tone
}

/** Decoration beside a status that is also said in words. */
export function StatusDot({ tone }: StatusDotProps) {
  return <i className={classes.dot} data-tone={tone} style={{ background: toneFill(tone) }} aria-hidden />
}
