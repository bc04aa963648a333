import { paths } from '#paths.ts'

export interface NearestPage {
  path: string
  label: string
}

const candidates: readonly NearestPage[] = [
  { path: paths.strategies, label: 'Strategies' },
  { path: paths.orders, label: 'Orders' },
  { path: paths.positions, label: 'Positions' },
  { path: paths.risk, label: 'Risk Management' },
  { path: paths.marketData, label: 'Market Data' },
  { path: paths.performance, label: 'Performance Analytics' },
  { path: paths.alerts, label: 'Alerts & Notifications' },
  { path: paths.backtesting, label: 'Backtesting' },
  { path: paths.adminDatabase, label: 'Database' },
  { path: paths.adminComponents, label: 'Components' },
  { path: paths.adminFeatures, label: 'Features' },
  { path: paths.adminAdapters, label: 'Adapters' },
  { path: paths.adminMonitoring, label: 'Monitoring' },
  { path: paths.adminSettings, label: 'Settings' },
  { path: paths.adminApiConfig, label: 'API Configuration' },
  { path: paths.adminDbManagement, label: 'Database Management' },
  { path: paths.docs, label: 'Documentation' },
  { path: paths.trader, label: 'Trader Panel' },
  { path: paths.admin, label: 'Admin Panel' },
]

const MAX_EDITS = 2

/** The screen whose last path segment is nearest to that of the given path. */
export function nearestPage(pathname: string): NearestPage | undefined {
  const segment = lastSegment(pathname)
  if (segment.length < 3) return undefined
  const ranked = candidates
    .map((page) => ({ page, edits: distance(segment, lastSegment(page.path)) }))
    .toSorted((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= MAX_EDITS ? best.page : undefined
}

function lastSegment(path: string): string {
  return path.toLowerCase().replace(/\/+$/, '').split('/').at(-1) ?? ''
}

/** The edit distance; a prefix counts as 1, as in 'backtest' and 'backtesting'. */
function distance(a: string, b: string): number {
  if (a === b) return 0
  const isPrefix = a.length >= 4 && (b.startsWith(a) || a.startsWith(b))
  return isPrefix ? 1 : editDistance(a, b)
}

function editDistance(a: string, b: string): number {
  const untouched = Array.from({ length: b.length + 1 }, (_, column) => column)
  const last = [...a].reduce((above, letter, row) => nextRow(above, letter, row + 1, b), untouched)
  return last.at(-1) ?? 0
}

/** One row of the Levenshtein table. */
function nextRow(above: readonly number[], letter: string, row: number, word: string): number[] {
  const edits = [row]
  for (const [column, other] of [...word].entries()) {
    const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1)
    edits.push(Math.min((above[column + 1] ?? 0) + 1, (edits[column] ?? 0) + 1, replaced))
  }
  return edits
}
