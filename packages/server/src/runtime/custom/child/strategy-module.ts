import type { Instrument, Strategy } from '../starter/binnacle.ts'
import type { Beginning, InstrumentTold } from './protocol.ts'

/** Loads the module and lets it make its strategy; what is missing or of the wrong kind is told in a sentence. */
export async function loadStrategy(beginning: Beginning): Promise<Strategy> {
  const { createStrategy } = await import(beginning.module)
  if (typeof createStrategy !== 'function') {
    throw new TypeError('it exports no function named createStrategy')
  }
  const { strategy, instruments, intervalMs, parameters } = beginning
  const made = createStrategy({ strategy, instruments: instruments.map(shown), intervalMs, parameters })
  if (!isStrategy(made)) {
    throw new TypeError('createStrategy must return an object with a function onBar, onQuote or both')
  }
  return made
}

function shown({ tickUnits, lotUnits, minLots, ...told }: InstrumentTold): Instrument {
  return {
    ...told,
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
