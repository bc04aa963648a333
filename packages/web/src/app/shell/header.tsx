import { IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { useHasSimulatedVenues } from '#data/engine.ts'
import { paths } from '#paths.ts'
import { toggleTheme, useTheme } from '#state/theme.ts'
import { Tooltip } from '#ui/control/tooltip.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Mark } from '#ui/look/mark.tsx'
import { ConnectionPill } from './connection-pill.tsx'
import classes from './header.module.css'

export interface HeaderProps {
  onOpenPalette: () => void
}

export function Header({ onOpenPalette }: HeaderProps) {
  const theme = useTheme()
  const hasSimulatedVenues = useHasSimulatedVenues()
  const switchTheme = `Switch to ${theme === 'light' ? 'dark' : 'light'} theme`
  return (
    <header className={classes.header}>
      <Mark to={paths.home} />
      <ConnectionPill />
      {hasSimulatedVenues && (
        <span className={classes.venues}>
          <Badge tone="warn">Simulated venues</Badge>
        </span>
      )}
      <span className={classes.grow} />
      <button type="button" className={classes.search} onClick={onOpenPalette} aria-label="Go to… Ctrl K">
        <IconSearch size={14} aria-hidden />
        <span className={classes.searchText}>Go to…</span>
        <kbd className={classes.key}>Ctrl K</kbd>
      </button>
      <Tooltip label={switchTheme}>
        <button type="button" className={classes.icon} onClick={toggleTheme} aria-label={switchTheme}>
          {theme === 'light' ? <IconMoon size={16} aria-hidden /> : <IconSun size={16} aria-hidden />}
        </button>
      </Tooltip>
    </header>
  )
}
