import type { ReactNode } from 'react'
import { GoButton } from '#ui/control/button.tsx'
import classes from './screen.module.css'

export interface ScreenProps {
  title: string
  /** Beside the title, such as a badge. */
  aside?: ReactNode
  back?: { to: string; label: string }
  actions?: ReactNode
  children: ReactNode
}

/** The layout of every page: title, actions, back button, content. */
export function Screen({ title, aside, back, actions, children }: ScreenProps) {
  return (
    <>
      <title>{`${title} · Binnacle`}</title>
      <div className={classes.head}>
        <h1>{title}</h1>
        {aside !== undefined && <div className={classes.aside}>{aside}</div>}
        <div className={classes.actions}>
          {actions}
          {back && <GoButton to={back.to}>{back.label}</GoButton>}
        </div>
      </div>
      <div className={classes.content}>{children}</div>
    </>
  )
}
