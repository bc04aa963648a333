import type { ReactNode } from 'react'
import { type Tone, toneText } from '#ui/look/tone.ts'
import classes from './tone-text.module.css'

export interface ToneTextProps {
  tone: Tone
  children: ReactNode
}

/** Coloured text for table cells; the text itself must carry the meaning too. */
export function ToneText({ tone, children }: ToneTextProps) {
  return (
    <span className={classes.toned} data-tone={tone} style={{ color: toneText(tone) }}>
      {children}
    </span>
  )
}
