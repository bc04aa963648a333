import { VERSION } from '@binnacle/contract'
import { IconChevronLeft } from '@tabler/icons-react'
import { memo } from 'react'
import { NavLink } from 'react-router'
import { areas, type NavigationItem } from '#app/navigation.ts'
import { useScreenCounts } from '#data/screen-counts.ts'
import { formatNumber } from '#format/number.ts'
import { paths } from '#paths.ts'
import { setPreference, usePreferences } from '#state/preferences.ts'
import classes from './rail.module.css'

/** Marked as active at their own path only, not at paths below it. */
const exact: readonly string[] = [paths.trader, paths.admin, paths.home]

export function Rail() {
  const { rail } = usePreferences()
  const counts = useLinkCounts()
  const isNarrow = rail === 'narrow'
  const toggle = isNarrow ? 'Widen the navigation' : 'Narrow the navigation'
  return (
    <div className={classes.rail}>
      <nav className={classes.areas} aria-label="Screens">
        {areas.map((area) => (
          <div key={area.label} className={classes.area}>
            <h2>{area.label}</h2>
            {area.items.map((item) => (
              <RailLink key={item.path} item={item} {...counts.get(item.path)} isNarrow={isNarrow} />
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
          <IconChevronLeft size={14} aria-hidden />
        </button>
      </footer>
    </div>
  )
}

interface Count {
  count: number
  /** What is counted. */
  state: string
  isAlert?: boolean
}

/** SHELL-60: by path; a count of zero is left out. */
export function useLinkCounts(): ReadonlyMap<string, Count> {
  const { strategies = 0, orders = 0, positions = 0, alerts = 0 } = useScreenCounts()
  const counts: readonly (readonly [path: string, Count])[] = [
    [paths.strategies, { count: strategies, state: 'running' }],
    [paths.orders, { count: orders, state: 'working' }],
    [paths.positions, { count: positions, state: 'open' }],
    [paths.alerts, { count: alerts, state: 'open', isAlert: true }],
  ]
  return new Map(counts.filter(([, { count }]) => count > 0))
}

interface RailLinkProps extends Partial<Count> {
  item: NavigationItem
  isNarrow: boolean
}

/** Memoised: the count of one screen changes with every order. */
const RailLink = memo(function RailLink({ item, count, state, isAlert, isNarrow }: RailLinkProps) {
  const { path, label, Icon } = item
  const words = [isNarrow && label, count !== undefined && `${formatNumber(count)} ${state}`]
  return (
    <NavLink
      to={path}
      end={exact.includes(path)}
      title={words.filter(Boolean).join(', ') || undefined}
      className={({ isActive }) => (isActive ? `${classes.link} ${classes.active}` : classes.link)}
    >
      <Icon size={16} stroke={1.5} aria-hidden />
      <span className={classes.label}>{label}</span>
      {/* In words in the title, so that the link keeps its name. */}
      {count !== undefined && (
        <b className={classes.count} data-alert={isAlert} aria-hidden>
          {formatNumber(count)}
        </b>
      )}
    </NavLink>
  )
})
