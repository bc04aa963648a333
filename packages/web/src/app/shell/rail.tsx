import { VERSION } from '@binnacle/contract'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { NavLink } from 'react-router'
import { areas } from '#app/navigation.ts'
import { paths } from '#paths.ts'
import { setPreference, usePreferences } from '#state/preferences.ts'
import classes from './rail.module.css'

/** Marked as active at their own path only, not at paths below it. */
const exact: readonly string[] = [paths.trader, paths.admin, paths.home]

export function Rail() {
  const { rail } = usePreferences()
  const isNarrow = rail === 'narrow'
  const toggle = isNarrow ? 'Widen the navigation' : 'Narrow the navigation'
  return (
    <div className={classes.rail} data-narrow={isNarrow || undefined}>
      <nav className={classes.areas} aria-label="Screens">
        {areas.map((area) => (
          <div key={area.label} className={classes.area}>
            <h2>{area.label}</h2>
            {area.items.map(({ path, label, Icon }) => (
              <NavLink
                key={path}
                to={path}
                end={exact.includes(path)}
                title={isNarrow ? label : undefined}
                className={({ isActive }) => (isActive ? `${classes.link} ${classes.active}` : classes.link)}
              >
                <Icon size={16} stroke={1.5} aria-hidden />
                <span className={classes.label}>{label}</span>
              </NavLink>
            ))}
          </div>
        ))}
      </nav>
      <footer className={classes.foot}>
        <span className={classes.label}>{VERSION}</span>
        <button
          type="button"
          className={classes.toggle}
          aria-label={toggle}
          title={toggle}
          onClick={() => setPreference('rail', isNarrow ? 'wide' : 'narrow')}
        >
          {isNarrow ? <IconChevronRight size={14} aria-hidden /> : <IconChevronLeft size={14} aria-hidden />}
        </button>
      </footer>
    </div>
  )
}
