import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createNodeInstruments } from './node-instruments.ts'
import { NodeView } from './node-view.ts'
import { type FromNode, parseFromNode, parseToNode } from './protocol.ts'

const FOLDER = join(import.meta.dirname, '..', 'recordings')

interface Line {
  from: 'node' | 'console'
  frame: object
}

function linesOf(file: string): Line[] {
  return readFileSync(join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function nodeFramesOf(file: string): FromNode[] {
  return linesOf(file).flatMap(({ from, frame }) =>
    from === 'node' ? (parseFromNode(JSON.stringify(frame)) ?? []) : [],
  )
}

test.each(readdirSync(FOLDER))(
  '[NAUT-96] every frame of the recorded conversation %s is declared',
  (file) => {
    for (const { from, frame } of linesOf(file)) {
      const text = JSON.stringify(frame)
      if (from === 'console') expect(parseToNode(text)).toMatchObject(frame)
      // An undeclared kind is null, and an undeclared event is 'other'.
      else
        expect(parseFromNode(text)).toMatchObject(
          pick(frame, ['k', 'type', 'section', 'seq', 'id', 'status']),
        )
    }
  },
)

test('[NAUT-97] the rows of a recorded session are those that its events left', () => {
  const frames = nodeFramesOf('session.jsonl')
  const view = new NodeView('recorded', 0)
  const events: number[] = []
  for (const frame of frames) {
    if (frame.k === 'snapshot' && frame.section !== 'end') view.takeSlice(frame)
    if (frame.k !== 'event') continue
    view.apply(frame)
    events.push(frame.seq)
  }
  const [first = 0] = events
  expect(events).toEqual(events.map((_, index) => first + index))
  expect(view.seq).toBe(events.at(-1))
  const instruments = createNodeInstruments(view.all('instruments'))
  expect(instruments.find('BTCUSDT-PERP.SIM')).toMatchObject({ symbol: 'BTCUSDT-PERP', venue: 'SIM' })
  const orders = view.all('orders')
  expect(orders.length).toBeGreaterThan(0)
  for (const { instrument_id, fills, filled } of orders) {
    expect(instruments.find(instrument_id)).toBeDefined()
    const sum = fills.reduce((total, fill) => total + Number(fill.quantity), 0)
    expect(sum).toBeCloseTo(Number(filled), 8)
  }
})

function pick(frame: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(frame).filter(([name]) => names.includes(name)))
}
