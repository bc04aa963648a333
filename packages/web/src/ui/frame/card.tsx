import { type ReactNode, useId } from 'react'
import classes from './card.module.css'

export interface CardProps {
  title?: ReactNode
  actions?: ReactNode
  /** In a row of unequal cards the content takes the height that is left, so that feet stand side by side. */
  isFilled?: boolean
  children: ReactNode
}

/** A titled panel; with a title it is a region that can be found by its name. */
export function Card({ title, actions, isFilled, children }: CardProps) {
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
          {actions !== undefined && <div className={classes.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
