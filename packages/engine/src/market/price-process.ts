import { assert } from '#values/bug.ts'
import type { Instruments } from './instruments.ts'
import type { Random } from './random.ts'
import { VENUE_PROFILES } from './venue-profile.ts'

/** The state of the process; a new process continues the same market from it. */
export interface MarketState {
  /** Logarithms of market-wide volatility around zero: one slow, one fast. */
  slow: number
  fast: number
  /** Logarithm of each asset's price, by base currency. */
  logPrices: Record<string, number>
  /** The premium of each instrument over its asset's price, as a fraction. */
  premiums: number[]
}

/** The prices behind all venues: one path per asset, with volatility that clusters, and a premium per instrument. */
export interface PriceProcess {
  /** Advances by the given seconds. */
  step(seconds: number): void
  /** Returns the mid price of an instrument, by index. */
  midPrice(index: number): number
  /** Returns volatility as a multiple of its average level. */
  volatilityRatio(): number
  state(): MarketState
}

const SECONDS_PER_YEAR = 365 * 86_400

/** One of the two mean-reverting factors of market-wide volatility. */
interface VolatilityFactor {
  /** Its standard deviation. */
  readonly deviation: number
  readonly memorySeconds: number
}

const SLOW: VolatilityFactor = { deviation: 0.35, memorySeconds: 43_200 }
const FAST: VolatilityFactor = { deviation: 0.45, memorySeconds: 1_500 }
/** News: rare common jumps, in standard deviations of a normal minute. */
const JUMP = { perSecond: 1 / 7_200, size: 5 }
/** A venue deviates for some seconds, which gives arbitrage its trades. */
const DISLOCATION = { perSecond: 1 / 120, smallest: 0.0005, largest: 0.0016 }

/** Volatility is skewed; this normalises its mean square to one, so that yearly volatilities hold. */
const VOLATILITY_SCALE = Math.exp(-(SLOW.deviation ** 2 + FAST.deviation ** 2))

const ASSETS: Record<string, { price: number; yearlyVolatility: number; marketCorrelation: number }> = {
  BTC: { price: 60_000, yearlyVolatility: 0.5, marketCorrelation: 0.92 },
  ETH: { price: 3_000, yearlyVolatility: 0.65, marketCorrelation: 0.85 },
  SOL: { price: 150, yearlyVolatility: 0.9, marketCorrelation: 0.75 },
}

/** Returns the initial state of the market. */
function openingState(instruments: Instruments): MarketState {
  const logPrices: Record<string, number> = {}
  for (const { base } of instruments.all) logPrices[base] = Math.log(assetOf(base).price)
  return { slow: 0, fast: 0, logPrices, premiums: instruments.all.map(() => 0) }
}

/** Creates the process; all randomness comes from the given generator. */
export function createPriceProcess(
  instruments: Instruments,
  random: Random,
  opening: MarketState = openingState(instruments),
): PriceProcess {
  const bases = Object.keys(opening.logPrices)
  const assets = bases.map(assetOf)
  const logPrices = Float64Array.from(bases, (base) => opening.logPrices[base] ?? 0)
  const prices = logPrices.map(Math.exp)
  const premiums = Float64Array.from(opening.premiums)
  const baseOf = Uint8Array.from(instruments.all, (instrument) => bases.indexOf(instrument.base))
  const profiles = instruments.all.map((instrument) => VENUE_PROFILES[instrument.venue])
  let { slow, fast } = opening

  function step(seconds: number): void {
    slow = revert(slow, SLOW, seconds)
    fast = revert(fast, FAST, seconds)
    movePrices(seconds)
    movePremiums(seconds)
  }

  /** A mean-reverting step with noise (Ornstein–Uhlenbeck), exact for any duration. */
  function revert(value: number, factor: VolatilityFactor, seconds: number): number {
    const decay = Math.exp(-seconds / factor.memorySeconds)
    return value * decay + factor.deviation * Math.sqrt(1 - decay * decay) * random.normal()
  }

  function movePrices(seconds: number): void {
    const volatilityRatio = Math.exp(slow + fast)
    const market = random.normal()
    const jump = random.uniform() < JUMP.perSecond * seconds ? JUMP.size * random.normal() : 0
    for (let index = 0; index < assets.length; index++) {
      const asset = assets[index]
      if (asset === undefined) continue
      const perRootSecond =
        ((asset.yearlyVolatility * VOLATILITY_SCALE) / Math.sqrt(SECONDS_PER_YEAR)) * volatilityRatio
      const own = Math.sqrt(1 - asset.marketCorrelation ** 2) * random.normal()
      const shock = (asset.marketCorrelation * market + own) * Math.sqrt(seconds)
      logPrices[index] = (logPrices[index] ?? 0) + perRootSecond * (shock + jump * Math.sqrt(60))
      prices[index] = Math.exp(logPrices[index] ?? 0)
    }
  }

  function movePremiums(seconds: number): void {
    const decay = Math.exp(-seconds / PREMIUM_MEMORY_S)
    const noise = Math.sqrt(1 - decay * decay)
    const probability = DISLOCATION.perSecond * seconds
    for (let index = 0; index < premiums.length; index++) {
      const profile = profiles[index]
      if (profile === undefined) continue
      const deviation = (premiums[index] ?? 0) - profile.premium
      let premium = profile.premium + deviation * decay + profile.premiumVolatility * noise * random.normal()
      if (random.uniform() < probability) premium += dislocation(seconds)
      premiums[index] = premium
    }
  }

  /** What remains at the end of the step of a dislocation that began within it. */
  function dislocation(seconds: number): number {
    const size = DISLOCATION.smallest + (DISLOCATION.largest - DISLOCATION.smallest) * random.uniform()
    const left = Math.exp((-seconds * random.uniform()) / PREMIUM_MEMORY_S)
    return random.uniform() < 0.5 ? size * left : -size * left
  }

  return {
    step,
    midPrice: (index) => (prices[baseOf[index] ?? 0] ?? 0) * (1 + (premiums[index] ?? 0)),
    volatilityRatio: () => Math.exp(slow + fast),
    state: () => ({
      slow,
      fast,
      logPrices: Object.fromEntries(bases.map((base, index) => [base, logPrices[index] ?? 0])),
      premiums: [...premiums],
    }),
  }
}

const PREMIUM_MEMORY_S = 6

function assetOf(base: string) {
  const asset = ASSETS[base]
  assert(asset !== undefined, `the simulated market knows no ${base}`)
  return asset
}
