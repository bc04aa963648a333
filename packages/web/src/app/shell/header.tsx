import { IconAlertOctagon, IconBell, IconHourglass, IconSearch } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useAlertSummary } from '#data/alerts.ts'
import { useOffers } from '#data/capabilities.ts'
import { useEngines } from '#data/engines.ts'
import { isActive, useJobHistory } from '#data/jobs.ts'
import { useAccount } from '#data/risk.ts'
import { directionOf, formatGain, roundToZero } from '#format/money.ts'
import { paths } from '#paths.ts'
import { toggleTheme, useNextTheme } from '#state/theme.ts'
import { Tooltip } from '#ui/control/tooltip.tsx'
import { Mark } from '#ui/look/mark.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Clock } from './clock.tsx'
import classes from './header.module.css'
import { StateStrip } from './state-strip.tsx'
import { EnvironmentTag, SystemName } from './system-identity.tsx'
import { THEME_ICONS } from './theme-icons.ts'

const EngineSwitch = lazyPart(async () => (await import('./engine-switch.tsx')).EngineSwitch)

/** What the shell shows beside the work; one at a time. */
export type OpenDrawer = 'jobs' | 'emergency' | 'more'

export interface HeaderProps {
  openDrawer: OpenDrawer | undefined
  onToggleDrawer: (drawer: OpenDrawer) => void
  onOpenPalette: () => void
}

export function Header({ openDrawer, onToggleDrawer, onOpenPalette }: HeaderProps) {
  return (
    <header className={classes.header}>
      <Mark to={paths.home}>
        <SystemName />
      </Mark>
      <span className={classes.environment}>
        <EnvironmentTag />
      </span>
      <EngineChoice place="header" />
      <StateStrip />
      <span className={classes.grow} />
      <TodaysResult />
      <Clock />
      <button type="button" className={classes.search} onClick={onOpenPalette} aria-label="Go to… Ctrl K">
        <IconSearch size={14} aria-hidden />
        <span className={classes.searchText}>Go to…</span>
        <kbd className={classes.key}>Ctrl K</kbd>
      </button>
      <div className={classes.icons}>
        <JobsButton isOpen={openDrawer === 'jobs'} onToggle={() => onToggleDrawer('jobs')} />
        <AlertsLink />
        <ThemeButton />
      </div>
      <EmergencyButton isOpen={openDrawer === 'emergency'} onToggle={() => onToggleDrawer('emergency')} />
    </header>
  )
}

/** Loaded where there is a choice. */
export function EngineChoice({ place }: { place: 'header' | 'bar' }) {
  if (useEngines().length < 2) return null
  return (
    <LazyBoundary>
      <EngineSwitch place={place} />
    </LazyBoundary>
  )
}

/** SHELL-36: today's change of equity, net of fees and funding. */
function TodaysResult() {
  const account = useAccount()
  if (account === undefined) return null
  const result = roundToZero(account.day_pnl)
  const direction = directionOf(result)
  return (
    <span className={classes.result}>
      <span className={classes.resultLabel}>P&L today</span>
      <b data-direction={direction}>
        {direction && <i aria-hidden>{direction === 'up' ? '▲' : '▼'}</i>}
        {formatGain(result)}
      </b>
    </span>
  )
}

interface DrawerButtonProps {
  isOpen: boolean
  onToggle: () => void
}

function JobsButton({ isOpen, onToggle }: DrawerButtonProps) {
  const history = useJobHistory()
  if (history === undefined) return null
  const active = history.jobs?.filter(isActive).length ?? 0
  return (
    <Tooltip label="Jobs">
      <button
        type="button"
        className={classes.icon}
        aria-label={active === 0 ? 'Jobs' : `Jobs, ${active} active`}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <IconHourglass size={16} stroke={1.5} aria-hidden />
        {active > 0 && <span className={classes.count}>{active}</span>}
      </button>
    </Tooltip>
  )
}

/** ALERT-1: on every screen of a backend with alerts, with the number of open ones. */
function AlertsLink() {
  const open = useAlertSummary()?.open ?? 0
  if (!useOffers('alerts')) return null
  return (
    <Tooltip label="Alerts">
      <Link
        to={paths.alerts}
        className={classes.icon}
        aria-label={open === 0 ? 'Alerts' : `Alerts, ${open} open`}
      >
        <IconBell size={16} stroke={1.5} aria-hidden />
        {open > 0 && (
          <span className={classes.count} data-tone="bad">
            {open}
          </span>
        )}
      </Link>
    </Tooltip>
  )
}

function ThemeButton() {
  const next = useNextTheme()
  const label = `Switch to ${next} theme`
  const Icon = THEME_ICONS[next]
  return (
    <Tooltip label={label}>
      <button
        type="button"
        className={classes.icon}
        onClick={toggleTheme}
        aria-label={label}
        data-by-choice="theme"
      >
        <Icon size={16} aria-hidden />
      </button>
    </Tooltip>
  )
}

/** SHELL-37: on every screen of an engine that has a trading state, also while the server does not answer. */
function EmergencyButton({ isOpen, onToggle }: DrawerButtonProps) {
  if (!useOffers('trading-state')) return null
  return (
    <button type="button" className={classes.emergency} aria-expanded={isOpen} onClick={onToggle}>
      <IconAlertOctagon size={16} stroke={1.5} aria-hidden />
      Emergency
    </button>
  )
}
