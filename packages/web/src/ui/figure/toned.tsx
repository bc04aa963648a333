import type { ReactNode } from 'react'
import { type Tone, toneText } from '#ui/look/tone.ts'
import classes from './toned.module.css'

export interface TonedProps {
  tone: Tone
  children: ReactNode
}

/** Words or figures in the colour of a meaning, for table cells; the words must say it too. */
export function Toned({ tone, children }: TonedProps) {
  return (
    <span className={classes.toned} data-tone={tone} style={{ color: toneText(tone) }}>
      {children}
    </span>
  )
}
