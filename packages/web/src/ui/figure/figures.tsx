import type { ReactNode } from 'react'
import { type Tone, toneText } from '#ui/look/tone.ts'
import classes from './figures.module.css'

export interface FiguresProps {
  /** Columns on a wide screen; a phone shows two. 'lead' is one amount and two short figures, on a phone too. */
  columns?: 2 | 3 | 4 | 'lead'
  children: ReactNode
}

export function Figures({ columns = 4, children }: FiguresProps) {
  return (
    <dl className={classes.figures} data-columns={columns}>
      {children}
    </dl>
  )
}

export interface FigureProps {
  label: string
  value: ReactNode
  tone?: Tone
  /** Unit or context, in small type. */
  note?: ReactNode
  /** Shown below the value, such as a meter. */
  children?: ReactNode
}

export function Figure({ label, value, tone, note, children }: FigureProps) {
  return (
    <div>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-tone={tone} style={tone && { color: toneText(tone) }}>
        {value}
        {note !== undefined && <small> {note}</small>}
      </dd>
      {children !== undefined && <dd>{children}</dd>}
    </div>
  )
}
