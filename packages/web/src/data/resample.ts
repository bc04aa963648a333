/** The 5th, 50th and 95th percentile. */
export interface Band {
  low: number
  median: number
  high: number
}

/** How many random paths are drawn. */
export const DRAWS = 1_000
/** From so many trades on, the sum of draws is as good as normally distributed. */
const NORMAL_FROM = 1_000
/** Of the 95th percentile of the normal distribution, in standard deviations. */
const NORMAL_95 = 1.6448536269514722

/** BT-34: the P&L after so many trades drawn with repetition from these; undefined without trades. */
export function bandAfter(results: readonly number[], count: number): Band | undefined {
  if (results.length === 0) return undefined
  if (count >= NORMAL_FROM) return normalBand(results, count)
  const random = createRandom()
  const sums = Array.from({ length: DRAWS }, () => {
    let sum = 0
    for (let trade = 0; trade < count; trade++) sum += draw(results, random)
    return sum
  })
  return bandOf(sums)
}

export interface ResampledPaths {
  /** The equity after each of these numbers of trades; the first is 0. */
  steps: readonly { trades: number; band: Band }[]
  /** Of the deepest drawdown of each path, a fraction of its peak. */
  drawdown: Band
}

const MAX_STEPS = 60

/** BT-36: paths of as many trades as there are, drawn with repetition. */
export function resampleTrades(results: readonly number[], capital: number): ResampledPaths | undefined {
  const { length } = results
  if (length < 2) return undefined
  const stride = Math.max(1, Math.ceil(length / MAX_STEPS))
  const marks = Array.from({ length: Math.floor((length - 1) / stride) + 1 }, (_, nth) => nth * stride)
  marks.push(length)
  const equities = marks.map(() => new Array<number>(DRAWS))
  const drawdowns = new Array<number>(DRAWS)
  const random = createRandom()
  for (let path = 0; path < DRAWS; path++) {
    let equity = capital
    let peak = capital
    let deepest = 0
    let mark = 0
    for (let trades = 0; ; trades++) {
      if (trades === marks[mark]) {
        const column = equities[mark]
        if (column) column[path] = equity
        mark += 1
      }
      if (trades === length) break
      equity += draw(results, random)
      peak = Math.max(peak, equity)
      deepest = Math.max(deepest, 1 - equity / peak)
    }
    drawdowns[path] = deepest
  }
  return {
    steps: marks.map((trades, nth) => ({ trades, band: bandOf(equities[nth] ?? []) })),
    drawdown: bandOf(drawdowns),
  }
}

function draw(results: readonly number[], random: () => number): number {
  return results[Math.floor(random() * results.length)] ?? 0
}

function bandOf(values: readonly number[]): Band {
  const sorted = values.toSorted((a, b) => a - b)
  return { low: quantile(sorted, 0.05), median: quantile(sorted, 0.5), high: quantile(sorted, 0.95) }
}

/** Between two values in proportion, as spreadsheets do. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const lower = sorted[below] ?? 0
  return lower + ((sorted[below + 1] ?? lower) - lower) * (place - below)
}

function normalBand(results: readonly number[], count: number): Band {
  const mean = results.reduce((sum, result) => sum + result, 0) / results.length
  const variance = results.reduce((sum, result) => sum + (result - mean) ** 2, 0) / results.length
  const median = mean * count
  const reach = NORMAL_95 * Math.sqrt(variance * count)
  return { low: median - reach, median, high: median + reach }
}

/** Always the same draws, so that the same run shows the same band. */
function createRandom(): () => number {
  let state = 0x2f6e2b1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
