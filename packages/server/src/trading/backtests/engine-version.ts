import { VERSION } from '@binnacle/contract'
import { BACKTEST_REVISION } from '@binnacle/engine'

/** Runs of the same version have the same result, hash for hash. */
export const ENGINE_VERSION = `${VERSION}+${BACKTEST_REVISION}`
