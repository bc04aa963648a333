import { expect, test } from 'vitest'
import { cutCellOf, MessageLimiter } from './message-limiter.ts'

const LIMITS = { cellBytes: 8, rowBytes: 1000 }

test('messages that are small enough pass byte by byte', () => {
  const messages = Buffer.concat([message('T', Buffer.from('fields')), row(['abc', null, '']), message('Z')])
  expect(read([messages])).toEqual(messages)
  expect(read([...messages].map((byte) => Buffer.from([byte])))).toEqual(messages)
})

test.each([1, 3, 7, 1000])(
  '[STORE-32] a long cell is cut and marked with its size, in pieces of %d bytes',
  (size) => {
    const sent = Buffer.concat([row(['0123456789', 'short', null, 'ééééééé']), row(['next'])])
    const expected = Buffer.concat([row(['01234567\x0010', 'short', null, 'éééé\x0014']), row(['next'])])
    expect(read(pieces(sent, size))).toEqual(expected)
  },
)

test('[STORE-32] a cut never leaves half a character', () => {
  expect(read([row(['x☃☃☃'])])).toEqual(row(['x☃☃\x0010']))
  expect(read([row(['xx🧭🧭'])])).toEqual(row(['xx🧭\x0010']))
})

test('[STORE-32] after enough rows cells are cut shorter', () => {
  const limiter = new MessageLimiter()
  limiter.setLimits({ cellBytes: 4000, rowBytes: 3000 })
  const cell = 'x'.repeat(3500)
  const lengths = [1, 2].map(() => Buffer.concat(limiter.push(row([cell]))).length)
  expect(lengths).toEqual([row([cell]).length, row(['x'.repeat(1024)]).length + '\x003500'.length])
})

test('[STORE-32] notices are dropped and the texts of an error are cut', () => {
  const error = Buffer.from(`SERROR\0M${'x'.repeat(10_000)}\0C22P02\0\0`)
  const cut = Buffer.from(`SERROR\0M${'x'.repeat(4095)}\0C22P02\0\0`)
  const sent = Buffer.concat([message('N', Buffer.from('notice')), message('E', error), message('Z')])
  for (const size of [1, 999, 100_000]) {
    expect(read(pieces(sent, size))).toEqual(Buffer.concat([message('E', cut), message('Z')]))
  }
})

test('a cut cell is told from a whole one', () => {
  expect(cutCellOf('abc')).toBeUndefined()
  expect(cutCellOf('abc\x00123')).toEqual({ beginning: 'abc', bytes: 123 })
})

function read(chunks: Buffer[]): Buffer {
  const limiter = new MessageLimiter()
  limiter.setLimits(LIMITS)
  return Buffer.concat(chunks.flatMap((chunk) => limiter.push(chunk)))
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

function row(cells: (string | null)[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeUInt16BE(cells.length)
  const parts = cells.flatMap((cell) => {
    const bytes = Buffer.from(cell ?? '')
    const length = Buffer.alloc(4)
    length.writeInt32BE(cell === null ? -1 : bytes.length)
    return [length, bytes]
  })
  return message('D', Buffer.concat([count, ...parts]))
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}
