import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

export interface CardProps {
  title?: ReactNode
  /** Beside the title, in small type: its scope or a count. */
  aside?: ReactNode
  actions?: ReactNode
  /** The content fills the height of the row, so that the footers of neighbouring cards align. */
  isFilled?: boolean
  children: ReactNode
}

/** A panel; with a title it is a named region. */
export function Card({ title, aside, actions, isFilled, children }: CardProps) {
  const titleId = useId()
  const isHeaded = title !== undefined || actions !== undefined
  return (
    <section
      className={classes.card}
      aria-labelledby={title === undefined ? undefined : titleId}
      data-filled={isFilled}
    >
      {isHeaded && (
        <header className={classes.head}>
          {title !== undefined && <h2 id={titleId}>{title}</h2>}
          {aside !== undefined && <span className={classes.aside}>{aside}</span>}
          {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
