import type { ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './link-card.module.css'

export interface LinkCardProps {
  to: string
  title: string
  note?: ReactNode
}

export function LinkCard({ to, title, note }: LinkCardProps) {
  return (
    <Link to={to} className={classes.card}>
      <strong>{title}</strong>
      {note !== undefined && <span>{note}</span>}
    </Link>
  )
}
