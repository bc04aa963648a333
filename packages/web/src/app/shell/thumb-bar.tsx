import { NavLink } from 'react-router'
import { thumbItems } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import classes from './thumb-bar.module.css'

export interface ThumbBarProps {
  /** Opens the list of all screens. */
  onMore: () => void
}

/** The phone's way around: the five screens a trader reaches for, and the way to all others. */
export function ThumbBar({ onMore }: ThumbBarProps) {
  return (
    <nav className={classes.bar} aria-label="Main screens">
      {thumbItems.map(({ path, label }) => (
        <NavLink
          key={path}
          to={path}
          end={path === paths.trader}
          className={({ isActive }) => (isActive ? `${classes.link} ${classes.active}` : classes.link)}
        >
          {label}
        </NavLink>
      ))}
      <button type="button" className={classes.link} onClick={onMore}>
        More
      </button>
    </nav>
  )
}
