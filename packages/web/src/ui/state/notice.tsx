import type { ReactNode } from 'react'
import tones from '#ui/look/tone.module.css'
import type { Tone } from '#ui/look/tone.ts'
import classes from './notice.module.css'

export interface NoticeProps {
  tone: Tone
  title: string
  /** Appears in reply to an action: announced by assistive technology. */
  isAlert?: boolean
  children?: ReactNode
}

/** A message that stays on the page, unlike a toast. */
export function Notice({ tone, title, isAlert = false, children }: NoticeProps) {
  return (
    <div
      ref={isAlert ? scrollIntoView : undefined}
      className={`${classes.notice} ${tones[tone]}`}
      data-tone={tone}
      role={isAlert ? 'alert' : undefined}
    >
      <strong>{title}</strong>
      {children !== undefined && <div className={classes.body}>{children}</div>}
    </div>
  )
}

/** SHELL-220: where it appears may be out of sight, below a long form. */
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
