import { NavLink } from 'react-router'
import { thumbItems } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import classes from './thumb-bar.module.css'

/** The phone's way around: the five screens a trader reaches for, within a thumb's reach. */
export function ThumbBar() {
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
    </nav>
  )
}
