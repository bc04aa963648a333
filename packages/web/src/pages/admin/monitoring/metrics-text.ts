import type { SampleSeries } from '@binnacle/contract'
import { formatNumber } from '#format/number.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB

/** MB up to one GB, then GB with one decimal: '412 MB', '2.0 GB'. */
export function formatSize(bytes: number): string {
  return bytes < GIB ? `${Math.round(bytes / MIB)} MB` : `${(bytes / GIB).toFixed(1)} GB`
}

/** One decimal below a hundred, whole numbers above. */
export function formatRate(perSecond: number): string {
  const decimals = perSecond < 100 ? 1 : 0
  return formatNumber(perSecond, decimals, decimals)
}

export function formatMs(ms: number): string {
  return formatNumber(ms, 1, 1)
}

/** '6 d 04:12' since a time. */
export function formatSince(startedAt: string, now: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(startedAt)) / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  return `${days} d ${twoDigits(hours)}:${twoDigits(minutes % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** The highest value of a series; undefined without one. */
export function peakOf(series: SampleSeries | undefined): number | undefined {
  const highs = (series?.points ?? []).map(([, , , high]) => high)
  return highs.length === 0 ? undefined : Math.max(...highs)
}
