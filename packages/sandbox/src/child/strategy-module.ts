import type { Instrument, Strategy } from '#starter/binnacle.ts'
import type { InstrumentSpec, StartMessage } from './protocol.ts'

/** Loads the module and creates its strategy; rejects with a readable message if an export is missing or wrong. */
export async function loadStrategy(beginning: StartMessage): Promise<Strategy> {
  const { createStrategy } = await import(beginning.module)
  if (typeof createStrategy !== 'function') {
    throw new TypeError('it exports no function named createStrategy')
  }
  const { strategy, instruments, intervalMs, parameters } = beginning
  const made = createStrategy({
    strategy,
    instruments: instruments.map(instrumentOf),
    intervalMs,
    parameters,
  })
  if (!isStrategy(made)) {
    throw new TypeError('createStrategy must return an object with a function onBar, onQuote or both')
  }
  return made
}

function instrumentOf({ tickUnits, lotUnits, minLots, ...common }: InstrumentSpec): Instrument {
  return {
    ...common,
    tickSize: tickUnits / 1e8,
    lotSize: lotUnits / 1e8,
    minQuantity: (minLots * lotUnits) / 1e8,
  }
}

function isStrategy(made: unknown): made is Strategy {
  if (typeof made !== 'object' || made === null) return false
  const listeners = [Reflect.get(made, 'onBar'), Reflect.get(made, 'onQuote')]
  const isListener = (listener: unknown) => listener === undefined || typeof listener === 'function'
  return listeners.every(isListener) && listeners.some((listener) => listener !== undefined)
}
