import type { ReactNode } from 'react'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import classes from './badge.module.css'

export interface BadgeProps {
  tone: Tone
  dot?: boolean
  children: ReactNode
}

export function Badge({ tone, dot = false, children }: BadgeProps) {
  return (
    <span className={`${classes.badge} ${tones[tone]}`} data-tone={tone}>
      {dot && <i className={classes.dot} />}
      {children}
    </span>
  )
}
