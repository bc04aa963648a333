import { arbitrage } from './arbitrage.ts'
import { marketMaking } from './market-making.ts'
import { meanReversion } from './mean-reversion.ts'
import { momentum } from './momentum.ts'
import type { StrategyKind } from './strategy.ts'

/** The kinds of strategy that every engine knows; a host may add others. */
export const BUILT_IN_KINDS: readonly StrategyKind[] = [momentum, meanReversion, arbitrage, marketMaking]
