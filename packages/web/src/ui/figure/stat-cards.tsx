import type { ReactNode } from 'react'
import classes from './stat-cards.module.css'

export interface StatCardsProps {
  /** Figures; each stands on a card of its own. */
  children: ReactNode
}

/** A row of figures on equal cards, two to a row on a phone. */
export function StatCards({ children }: StatCardsProps) {
  return <dl className={classes.cards}>{children}</dl>
}
