import type { StrategyLogLine as WireLine } from '@binnacle/contract'
import type { OrderBasis, StrategyLogLine } from '@binnacle/engine'
import { isoTime } from '#http/iso-time.ts'
import { decimalToWire } from './decimal.wire.ts'

export function logLineToWire(line: StrategyLogLine): WireLine {
  const { at, revision, kind, event, by, sentence, order, basis, before, after } = line
  return {
    at: isoTime(at),
    journal_seq: revision,
    kind,
    event:
      event === 'OrderSubmitted' || event === 'OrderDenied'
        ? inWords(event)
        : inWords(event.slice(PREFIX_LENGTH)),
    by,
    sentence,
    changes: before === undefined || after === undefined ? undefined : changesOf(before, after),
    order: order && { ...order },
    intent: basis?.intent,
    signal: signalToWire(basis?.signal),
  }
}

/** Of 'StrategyStarted' the line says 'started'. */
const PREFIX_LENGTH = 'Strategy'.length

/** 'OrderSubmitted' becomes 'order submitted'. */
function inWords(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}

function signalToWire(signal: OrderBasis['signal']): WireLine['signal'] {
  return (
    signal && Object.fromEntries(Object.entries(signal).map(([name, value]) => [name, decimalToWire(value)]))
  )
}

/** Each value that differs, of two objects as JSON text. */
function changesOf(before: string, after: string): NonNullable<WireLine['changes']> {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, before: was.get(name) ?? null, after: is.get(name) ?? null }))
    .filter((change) => change.before !== change.after)
}

/** The journal has settings as JSON text of an object. */
function valuesOf(text: string): Map<string, string> {
  const values = Object.entries(JSON.parse(text)).filter(([, value]) => value !== null)
  return new Map(
    values.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  )
}
