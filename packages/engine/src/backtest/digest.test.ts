import { expect, test } from 'vitest'
import { createLab } from '#testkit/lab.ts'
import { EventDigest } from './digest.ts'

type Json = { [name: string]: Json } | string | number | boolean | null

/** Every place of a value that holds a text, a number or a boolean, as a path. */
function leavesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, [...path, name]))
}

function changedAt(value: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined || typeof value !== 'object' || value === null) return otherThan(value)
  return { ...value, [name]: changedAt(value[name] ?? null, rest) }
}

function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  return OTHERS[String(value)] ?? `${String(value)}X`
}

/** Words of which there are few. */
const OTHERS: Readonly<Record<string, string>> = {
  BUY: 'SELL',
  SELL: 'BUY',
  MARKET: 'LIMIT',
  LIMIT: 'STOP',
  GTC: 'IOC',
  IOC: 'FOK',
  TAKER: 'MAKER',
  MAKER: 'TAKER',
}

test('[BT-250] two runs that differ in any field of any event have different hashes', () => {
  const lab = createLab()
  lab.quote({})
  lab.place({ quantity: 0.1 })
  lab.place({ orderType: 'LIMIT', price: 49_000, quantity: 0.1 })
  lab.place({ orderType: 'LIMIT', price: 49_000, quantity: 0.1, timeInForce: 'IOC' })
  lab.place({ quantity: 100 })
  lab.run({ type: 'CancelOrder', orderId: lab.place({ orderType: 'LIMIT', price: 48_000 }).id })
  const { entries } = lab
  const digestOf = (changed: readonly unknown[]) => {
    const digest = new EventDigest()
    for (const entry of changed) digest.add(entry as never)
    return digest.text()
  }
  const original = digestOf(entries)
  expect(digestOf(entries)).toBe(original)
  const same: string[] = []
  entries.forEach((entry, index) => {
    entry.events.forEach((event, nth) => {
      const { basis: _, ...fields } = { basis: null, ...event }
      // Without the key, which strategies never give.
      for (const path of leavesOf(fields as unknown as Json).filter((each) => each.at(-1) !== 'key')) {
        const events = entry.events.with(nth, changedAt(event as unknown as Json, path) as never)
        const other = digestOf(entries.with(index, { ...entry, events }))
        if (other === original) same.push(`${event.type}.${path.join('.')}`)
      }
    })
  })
  expect(same).toEqual([])
})
