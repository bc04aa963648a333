import { NavLink } from 'react-router'
import { areas } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import classes from './rail.module.css'

/** Marked as active at their own path only, not at paths below it. */
const exact: readonly string[] = [paths.trader, paths.admin, paths.home]

export function Rail() {
  return (
    <nav className={classes.rail} aria-label="Screens">
      {areas.map((area) => (
        <div key={area.label} className={classes.area}>
          <h2>{area.label}</h2>
          {area.items.map(({ path, label }) => (
            <NavLink
              key={path}
              to={path}
              end={exact.includes(path)}
              className={({ isActive }) => (isActive ? `${classes.link} ${classes.active}` : classes.link)}
            >
              {label}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  )
}
