import type { ReactNode } from 'react'
import tones from '#ui/look/tone.module.css'
import classes from './status-bar.module.css'

export interface StatusBarProps {
  label: string
  tone: 'warn' | 'bad'
  children: ReactNode
}

/** A bar below the header, on every screen. */
export function StatusBar({ label, tone, children }: StatusBarProps) {
  return (
    <section aria-label={label} className={`${classes.bar} ${tones[tone]}`} data-tone={tone}>
      {children}
    </section>
  )
}

export interface StatusNotice {
  title: string
  text: string | undefined
}

export function StatusNotices({ notices }: { notices: readonly StatusNotice[] }) {
  return (
    <div className={classes.words}>
      {notices.map(({ title, text }) => (
        <p key={title}>
          <strong>{title}.</strong> <span className={classes.reason}>{text}</span>
        </p>
      ))}
    </div>
  )
}
