import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './text-link.module.css'

export interface TextLinkProps {
  to: string
  /** Called beside the change of the screen. */
  onClick?: () => void
  children: ReactNode
}

export function TextLink({ to, onClick, children }: TextLinkProps) {
  return (
    <Link to={to} className={classes.link} onClick={onClick}>
      {children}
    </Link>
  )
}
