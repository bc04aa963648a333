import { IconHourglass, IconTrendingUp } from '@tabler/icons-react'
import { Link } from 'react-router'
import { areas } from '#app/navigation.ts'
import { useJobHistory } from '#data/jobs.ts'
import { formatNumber } from '#format/number.ts'
import { toggleUpDown, usePreferences } from '#state/preferences.ts'
import { toggleTheme, useNextTheme } from '#state/theme.ts'
import { Drawer } from '#ui/frame/drawer.tsx'
import classes from './more-sheet.module.css'
import { useLinkCounts } from './rail.tsx'
import { EnvironmentTag, SystemName } from './system-identity.tsx'
import { THEME_ICONS } from './theme-icons.ts'
import { UP_DOWN_NAMES } from './up-down-names.ts'

export interface MoreSheetProps {
  onClose: () => void
  onOpenJobs: () => void
}

/** On a phone: every screen as a list of links, and what the header of a desk has beside them. */
export function MoreSheet({ onClose, onOpenJobs }: MoreSheetProps) {
  const nextTheme = useNextTheme()
  const { upDown } = usePreferences()
  const hasJobs = useJobHistory() !== undefined
  const counts = useLinkCounts()
  const ThemeIcon = THEME_ICONS[nextTheme]
  return (
    <Drawer title="All screens" onClose={onClose}>
      <p className={classes.system}>
        <SystemName /> <EnvironmentTag />
      </p>
      {areas.map((area) => (
        <section key={area.label} className={classes.area} aria-label={area.label}>
          <h3>{area.label}</h3>
          <div className={classes.links}>
            {area.items.map(({ path, label, Icon }) => (
              <Link key={path} to={path} className={classes.link} onClick={onClose}>
                <Icon size={18} stroke={1.5} aria-hidden />
                {label}
                {counts.has(path) && (
                  <b className={classes.count} data-alert={counts.get(path)?.isAlert} aria-hidden>
                    {formatNumber(counts.get(path)?.count ?? 0)}
                  </b>
                )}
              </Link>
            ))}
          </div>
        </section>
      ))}
      <section className={classes.area} aria-label="Console">
        <h3>Console</h3>
        <div className={classes.links}>
          {hasJobs && (
            <button type="button" className={classes.link} onClick={onOpenJobs}>
              <IconHourglass size={18} stroke={1.5} aria-hidden />
              Jobs
            </button>
          )}
          <button type="button" className={classes.link} onClick={toggleTheme}>
            <ThemeIcon size={18} stroke={1.5} aria-hidden />
            {THEME_NAMES[nextTheme]}
          </button>
          <button type="button" className={classes.link} onClick={toggleUpDown}>
            <IconTrendingUp size={18} stroke={1.5} aria-hidden />
            {UP_DOWN_NAMES[upDown]}
          </button>
        </div>
      </section>
    </Drawer>
  )
}

const THEME_NAMES = { light: 'Light theme', dark: 'Dark theme', system: 'System theme' }
