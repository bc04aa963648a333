import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './mark.module.css'

export interface MarkProps {
  to: string
  /** The name beside it. */
  children: ReactNode
}

export function Mark({ to, children }: MarkProps) {
  return (
    <Link to={to} className={classes.mark}>
      <svg
        width="20"
        height="20"
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        aria-hidden
      >
        <circle cx="10" cy="10" r="8" />
        <path d="M10 4.2 11.9 10 10 15.8 8.1 10Z" fill="currentColor" stroke="none" />
      </svg>
      <span className={classes.name}>{children}</span>
    </Link>
  )
}
