import type { ReactNode } from 'react'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import classes from './notice.module.css'

export interface NoticeProps {
  tone: Tone
  title: string
  children?: ReactNode
}

/** A statement that stays on the page, unlike a toast. */
export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={`${classes.notice} ${tones[tone]}`} data-tone={tone}>
      <strong>{title}</strong>
      {children !== undefined && <div className={classes.body}>{children}</div>}
    </div>
  )
}
