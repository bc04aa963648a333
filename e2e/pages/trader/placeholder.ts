import type { Locator, Page } from '@playwright/test'
import { Screen } from '#pages/screen.ts'

/** The four screens that read 'coming soon' until a backend offers them. */
export const PLACEHOLDERS = {
  '/trader/market-data': 'Market Data',
  '/trader/performance': 'Performance Analytics',
  '/trader/alerts': 'Alerts & Notifications',
  '/trader/backtesting': 'Backtesting',
} as const

export type PlaceholderPath = keyof typeof PLACEHOLDERS

export class PlaceholderPage extends Screen {
  readonly path: PlaceholderPath
  readonly title: string

  constructor(page: Page, path: PlaceholderPath) {
    super(page)
    this.path = path
    this.title = PLACEHOLDERS[path]
  }

  get comingSoon(): Locator {
    return this.main.getByText(/coming soon/i)
  }
}
