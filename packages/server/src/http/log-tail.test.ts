import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { createLogTail } from './log-tail.ts'

const line = (level: number, fields: object) =>
  `${JSON.stringify({ level, time: '2026-03-01T10:00:00.000Z', ...fields })}\n`

test('[MON-12] a request reads as one sentence with its id, other lines with their message', () => {
  const tail = createLogTail()
  tail.write(
    line(30, {
      event: 'request',
      request_id: 'r-1',
      method: 'GET',
      path: '/api/orders',
      status: 200,
      ms: 1.5,
    }),
  )
  tail.write(line(40, { event: 'samples.damaged', message: 'moved aside', files: 2 }))
  tail.write(line(50, { event: 'fault', err: { message: 'no space' } }))
  expect(tail.latest({ limit: 10 })).toEqual([
    {
      id: 1,
      at: '2026-03-01T10:00:00.000Z',
      level: 'info',
      event: 'request',
      text: 'GET /api/orders 200 in 1.5 ms',
      request_id: 'r-1',
    },
    expect.objectContaining({ level: 'warn', text: 'moved aside files=2', request_id: null }),
    expect.objectContaining({ level: 'error', event: 'fault', text: 'no space' }),
  ])
})

test('[MON-13] level and text narrow the lines, the latest come first into the limit', () => {
  const tail = createLogTail()
  for (const level of [20, 30, 40, 50]) tail.write(line(level, { event: 'e', message: `Level ${level}` }))
  const texts = (filter: object) => tail.latest({ limit: 10, ...filter }).map(({ text }) => text)
  expect(texts({ level: 'warn' })).toEqual(['Level 40', 'Level 50'])
  expect(texts({ text: 'LEVEL 3' })).toEqual(['Level 30'])
  expect(texts({ limit: 1 })).toEqual(['Level 50'])
})

test('[MON-15] secrets in a line are masked', () => {
  const tail = createLogTail()
  tail.write(line(30, { event: 'e', message: 'postgres://desk:hunter2@db/desk', smtp_password: 'hunter2' }))
  const [shown] = tail.latest({ limit: 1 })
  expect(shown?.text).toBe('postgres://desk:[masked]@db/desk smtp_password=[masked]')
})

test('[MON-12] the lines before a restart are there, a line that was cut off is not', () => {
  const file = join(temporaryFolder(), 'server.log')
  writeFileSync(file, `${line(30, { event: 'one', message: 'before' })}{"level":30,"ti\n`)
  const tail = createLogTail(file)
  tail.write(line(30, { event: 'two', message: 'after' }))
  expect(tail.latest({ limit: 10 }).map(({ text }) => text)).toEqual(['before', 'after'])
})

test('the oldest lines are dropped', () => {
  const tail = createLogTail()
  for (let count = 1; count <= 5000; count++) tail.write(line(30, { event: 'e', message: String(count) }))
  const lines = tail.latest({ limit: 2000 })
  expect(lines).toHaveLength(2000)
  expect(lines.at(-1)?.text).toBe('5000')
})

test('a listener gets each new line until it is removed', () => {
  const tail = createLogTail()
  const received: string[] = []
  const stop = tail.onLine(({ text }) => received.push(text))
  tail.write(line(30, { event: 'e', message: 'one' }))
  stop()
  tail.write(line(30, { event: 'e', message: 'two' }))
  expect(received).toEqual(['one'])
})
