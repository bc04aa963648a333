import { type PathName, paths } from '#paths.ts'

export interface NavigationItem {
  path: string
  label: string
}

export interface NavigationArea {
  label: string
  items: readonly NavigationItem[]
}

const item = (name: PathName, label: string): NavigationItem => ({ path: paths[name], label })

/** The screens in the order of the rail and the palette. */
export const areas: readonly NavigationArea[] = [
  {
    label: 'Trader',
    items: [
      item('trader', 'Trader Panel'),
      item('strategies', 'Strategies'),
      item('orders', 'Orders'),
      item('positions', 'Positions'),
      item('risk', 'Risk Management'),
      item('marketData', 'Market Data'),
      item('performance', 'Performance'),
      item('alerts', 'Alerts'),
      item('backtesting', 'Backtesting'),
    ],
  },
  {
    label: 'Admin',
    items: [
      item('admin', 'Admin Panel'),
      item('adminDatabase', 'Database'),
      item('adminComponents', 'Components'),
      item('adminFeatures', 'Features'),
      item('adminAdapters', 'Adapters'),
      item('adminMonitoring', 'Monitoring'),
      item('adminSettings', 'Settings'),
      item('adminDatabasePage', 'Admin Database'),
      item('adminApiConfig', 'API Configuration'),
      item('adminDbManagement', 'Database Management'),
    ],
  },
  { label: 'Help', items: [item('docs', 'Documentation'), item('home', 'Home')] },
]

/** The screens in the bottom bar on a phone. */
export const bottomBarItems: readonly NavigationItem[] = [
  item('trader', 'Panel'),
  item('strategies', 'Strategies'),
  item('orders', 'Orders'),
  item('positions', 'Positions'),
  item('risk', 'Risk'),
]
