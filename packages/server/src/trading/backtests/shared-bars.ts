import { createHash } from 'node:crypto'
import { aggregateBars, type BarColumns, type Interval } from '@binnacle/engine'
import { COLUMNS } from '#trading/catalog/columns.ts'

/** The bars of a run and what they are recognised by. */
export interface LoadedBars {
  bars: readonly BarColumns[]
  fingerprint: string
}

/**
 * Makes of recorded bars what a run needs: bars of its interval in memory that all threads see. The fingerprint names the
 * data set that they are of.
 */
export function shareBars(minutes: readonly BarColumns[], interval: Interval, dataSet?: string): LoadedBars {
  return shareColumns(
    minutes.map((one) => aggregateBars(one, interval)),
    dataSet,
  )
}

/** The same of bars that are of the interval already. */
export function shareColumns(bars: readonly BarColumns[], dataSet?: string): LoadedBars {
  const prefix = dataSet === undefined ? '' : `${dataSet}:`
  return { bars: bars.map(copyToShared), fingerprint: prefix + fingerprintOf(bars) }
}

/** SHA-256 over all columns: the same bars have the same, and any other bar another. */
function fingerprintOf(bars: readonly BarColumns[]): string {
  const hash = createHash('sha256')
  for (const columns of bars) {
    hash.update(`${columns.instrument} ${columns.interval} ${columns.length}\n`)
    for (const name of COLUMNS) hash.update(columns[name])
  }
  return hash.digest('hex')
}

function copyToShared(bars: BarColumns): BarColumns {
  const share = (column: Float64Array) => {
    const copy = new Float64Array(new SharedArrayBuffer(column.byteLength))
    copy.set(column)
    return copy
  }
  const { instrument, interval, length } = bars
  return {
    instrument,
    interval,
    length,
    start: share(bars.start),
    open: share(bars.open),
    high: share(bars.high),
    low: share(bars.low),
    close: share(bars.close),
    volume: share(bars.volume),
  }
}
