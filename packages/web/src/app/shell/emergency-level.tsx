import type { Emergency } from '@binnacle/contract'
import type { ReactNode } from 'react'
import { Badge } from '#ui/figure/badge.tsx'
import classes from './emergency-drawer.module.css'

/** How closing everything ended. */
export const OUTCOMES: Readonly<Record<NonNullable<Emergency['outcome']>, string>> = {
  flat: 'All closed',
  ended: 'Ended by a person',
  halted: 'Ended by a halt',
}

export interface LevelProps {
  number: number
  title: string
  isOn: boolean
  children: ReactNode
}

/** One of the three levels of the emergency control. */
export function Level({ number, title, isOn, children }: LevelProps) {
  return (
    <section className={classes.level} aria-label={title}>
      <h3>
        <span className={classes.number}>{number}</span>
        {title}
        {isOn && <Badge tone={number === 1 ? 'warn' : 'bad'}>on</Badge>}
      </h3>
      {children}
    </section>
  )
}
