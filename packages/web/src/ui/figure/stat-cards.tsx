import type { ReactNode } from 'react'
import classes from './stat-cards.module.css'

export interface StatCardsProps {
  /** Figures; each gets its own card. */
  children: ReactNode
}

/** Equal cards in a row, two per row on a phone. */
export function StatCards({ children }: StatCardsProps) {
  return <dl className={classes.cards}>{children}</dl>
}
