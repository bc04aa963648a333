import { NavLink } from 'react-router'
import { bottomBarItems } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import classes from './bottom-bar.module.css'

export interface BottomBarProps {
  /** Opens the palette. */
  onMore: () => void
}

/** Navigation on a phone: five trader screens, and More for the palette. */
export function BottomBar({ onMore }: BottomBarProps) {
  return (
    <nav className={classes.bar} aria-label="Main screens">
      {bottomBarItems.map(({ path, label }) => (
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
