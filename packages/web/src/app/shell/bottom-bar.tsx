import { IconMenu2 } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { bottomBarItems } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import classes from './bottom-bar.module.css'

export interface BottomBarProps {
  isMoreOpen: boolean
  onMore: () => void
  onNavigate: () => void
}

/** Navigation on a phone: five trader screens, and More for all of them. */
export function BottomBar({ isMoreOpen, onMore, onNavigate }: BottomBarProps) {
  return (
    <nav className={classes.bar} aria-label="Main screens">
      {bottomBarItems.map(({ path, label, Icon }) => (
        <NavLink
          key={path}
          to={path}
          end={path === paths.trader}
          onClick={onNavigate}
          className={({ isActive }) => (isActive ? `${classes.link} ${classes.active}` : classes.link)}
        >
          <Icon size={20} stroke={1.5} aria-hidden />
          {label}
        </NavLink>
      ))}
      <button type="button" className={classes.link} aria-expanded={isMoreOpen} onClick={onMore}>
        <IconMenu2 size={20} stroke={1.5} aria-hidden />
        More
      </button>
    </nav>
  )
}
