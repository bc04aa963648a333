import {
  type Icon,
  IconActivity,
  IconBell,
  IconBook,
  IconBraces,
  IconChartCandle,
  IconCpu,
  IconDatabase,
  IconDatabaseSearch,
  IconGauge,
  IconGitMerge,
  IconHistory,
  IconHome,
  IconLayoutGrid,
  IconList,
  IconPlug,
  IconSettings,
  IconShieldExclamation,
  IconStack2,
  IconTable,
  IconToggleRight,
  IconTrendingUp,
} from '@tabler/icons-react'
import { type PathName, paths } from '#paths.ts'

export interface NavigationItem {
  path: string
  label: string
  Icon: Icon
}

export interface NavigationArea {
  label: string
  items: readonly NavigationItem[]
}

const item = (name: PathName, label: string, Icon: Icon): NavigationItem => ({
  path: paths[name],
  label,
  Icon,
})

/** The screens in the order of the rail and the palette. */
export const areas: readonly NavigationArea[] = [
  {
    label: 'Trader',
    items: [
      item('trader', 'Trader Panel', IconGauge),
      item('strategies', 'Strategies', IconGitMerge),
      item('orders', 'Orders', IconList),
      item('positions', 'Positions', IconStack2),
      item('risk', 'Risk Management', IconShieldExclamation),
      item('marketData', 'Market Data', IconChartCandle),
      item('performance', 'Performance', IconTrendingUp),
      item('alerts', 'Alerts', IconBell),
      item('backtesting', 'Backtesting', IconHistory),
    ],
  },
  {
    label: 'Admin',
    items: [
      item('admin', 'Admin Panel', IconLayoutGrid),
      item('adminDatabase', 'Database', IconDatabase),
      item('adminComponents', 'Components', IconCpu),
      item('adminFeatures', 'Features', IconToggleRight),
      item('adminAdapters', 'Adapters', IconPlug),
      item('adminMonitoring', 'Monitoring', IconActivity),
      item('adminSettings', 'Settings', IconSettings),
      item('adminDatabasePage', 'Admin Database', IconTable),
      item('adminApiConfig', 'API Configuration', IconBraces),
      item('adminDbManagement', 'Database Management', IconDatabaseSearch),
    ],
  },
  { label: 'Help', items: [item('docs', 'Documentation', IconBook), item('home', 'Home', IconHome)] },
]

/** The screens in the bottom bar on a phone. */
export const bottomBarItems: readonly NavigationItem[] = [
  item('trader', 'Panel', IconGauge),
  item('marketData', 'Market', IconChartCandle),
  item('orders', 'Orders', IconList),
  item('positions', 'Positions', IconStack2),
  item('strategies', 'Strategies', IconGitMerge),
]
