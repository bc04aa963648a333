import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './text-link.module.css'

export interface TextLinkProps {
  to: string
  children: ReactNode
}

export function TextLink({ to, children }: TextLinkProps) {
  return (
    <Link to={to} className={classes.link}>
      {children}
    </Link>
  )
}
