import type { StrategyKind } from '#strategies/strategy.ts'
import { arbitrage } from './arbitrage.ts'
import { marketMaking } from './market-making.ts'
import { meanReversion } from './mean-reversion.ts'
import { momentum } from './momentum.ts'

/** The built-in strategy kinds; a host may add others. */
export const BUILT_IN_KINDS: readonly StrategyKind[] = [momentum, meanReversion, arbitrage, marketMaking]
