import { expect, test } from 'vitest'
import { serverAuditContext } from './audit-context.ts'
import { type ChainedRecord, type ChainHead, GENESIS, hashRecord, nextRecord } from './chain.ts'
import { findChainFault } from './verify-chain.ts'

const LENGTH = 6

test('an unaltered chain and an empty one are intact', () => {
  expect(verify(written())).toBeUndefined()
  expect(findChainFault({ head: GENESIS, records: [], seqOfHash: () => undefined })).toBeUndefined()
})

test.each([1, 2, 3, 4, 5, 6])('record %i altered in any field is named', (seq) => {
  for (const field of [
    'at',
    'actor',
    'role',
    'address',
    'action',
    'entity',
    'target',
    'before',
    'after',
    'hash',
  ]) {
    const lines = written().map((line) => (line.seq === seq ? { ...line, [field]: 'x' } : line))
    expect(verify(lines), field).toMatchObject({ seq, kind: 'altered' })
  }
})

test.each([1, 2, 3, 4, 5, 6])('record %i altered with a matching hash is named', (seq) => {
  const lines = written().map((line) => (line.seq === seq ? rehash({ ...line, after: '"x"' }) : line))
  expect(verify(lines)).toEqual({
    seq,
    kind: 'altered',
    detail: `Record ${seq} was replaced: the next record is chained to another hash.`,
  })
})

test.each([1, 2, 3, 4, 5, 6])('record %i removed is named', (seq) => {
  const lines = written().filter((line) => line.seq !== seq)
  expect(verify(lines)).toEqual({ seq, kind: 'removed', detail: `Record ${seq} was removed.` })
})

test.each([1, 2, 3, 4, 5])('record %i removed and the rest renumbered is named', (seq) => {
  const remaining = written().filter((line) => line.seq !== seq)
  const lines = remaining.map((line) => (line.seq > seq ? { ...line, seq: line.seq - 1 } : line))
  expect(verify(lines)).toMatchObject({ seq, kind: 'moved' })
})

test('truncated records are named', () => {
  expect(verify(written().slice(0, 3))).toEqual({
    seq: 4,
    kind: 'removed',
    detail: 'Records 4 to 6 were removed.',
  })
  expect(verify([])).toEqual({ seq: 1, kind: 'removed', detail: 'Records 1 to 6 were removed.' })
})

test('two swapped records are named by the first', () => {
  for (let first = 1; first <= LENGTH; first++) {
    for (let second = first + 1; second <= LENGTH; second++) {
      const places = new Map([
        [first, second],
        [second, first],
      ])
      const lines = written().map((line) => ({ ...line, seq: places.get(line.seq) ?? line.seq }))
      expect(verify(lines.toSorted((a, b) => a.seq - b.seq))).toEqual({
        seq: first,
        kind: 'moved',
        detail: `Record ${first} has the contents of record ${second}: records were moved.`,
      })
    }
  }
})

test('a record added at the end, before the first or instead of the first is named', () => {
  const lines = written()
  const last = lines.at(-1) ?? GENESIS
  const extra = nextRecord(last, serverAuditContext('test'), changeOf(7), new Date(7))
  expect(verify([...lines, extra])).toEqual({
    seq: 7,
    kind: 'added',
    detail: 'Record 7 was added: the log ends with record 6.',
  })
  expect(verify([{ ...extra, seq: 0 }, ...lines])).toMatchObject({ seq: 0, kind: 'added' })
  const other = rehash({ ...written()[0], prev_hash: 'f'.repeat(64) } as ChainedRecord) // there is a first record
  expect(verify([other, ...lines.slice(1)])).toMatchObject({ seq: 1, kind: 'altered' })
})

test('a log without its head, or with another, is not intact', () => {
  const lines = written()
  const verifyWith = (head: ChainHead | undefined) =>
    findChainFault({ head, records: lines, seqOfHash: () => undefined })
  expect(verifyWith(undefined)).toMatchObject({ seq: 0, kind: 'removed' })
  expect(verifyWith({ seq: 6, hash: 'f'.repeat(64) })).toMatchObject({ seq: 6, kind: 'altered' })
  expect(verifyWith({ seq: 5, hash: lines[4]?.hash ?? '' })).toMatchObject({ seq: 6, kind: 'added' })
})

function written(): ChainedRecord[] {
  const lines: ChainedRecord[] = []
  for (let seq = 1; seq <= LENGTH; seq++) {
    lines.push(nextRecord(lines.at(-1) ?? GENESIS, serverAuditContext('test'), changeOf(seq), new Date(seq)))
  }
  return lines
}

function changeOf(seq: number) {
  return { entity: 'setting', target: 'k', before: { value: seq - 1 }, after: { value: seq } }
}

function rehash(line: ChainedRecord): ChainedRecord {
  return { ...line, hash: hashRecord(line, line.prev_hash) }
}

/** Verifies against the original head. */
function verify(lines: ChainedRecord[]) {
  const head = written().at(-1)
  const seqOfHash = (hash: string) => lines.find((line) => line.hash === hash)?.seq
  return findChainFault({ head, records: lines, seqOfHash })
}
