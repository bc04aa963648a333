import { type ChainedRecord, type ChainHead, GENESIS, hashRecord } from './chain.ts'

export type FaultKind = 'altered' | 'removed' | 'moved' | 'added'

/** The first record that fails verification. */
export interface ChainFault {
  seq: number
  kind: FaultKind
  detail: string
}

export interface StoredChain {
  head: ChainHead | undefined
  /** Ordered by number. */
  records: Iterable<ChainedRecord>
  seqOfHash(hash: string): number | undefined
}

/** Verifies the whole chain and returns its first fault. */
export function findChainFault({ head, records, seqOfHash }: StoredChain): ChainFault | undefined {
  if (head === undefined) return fault(0, 'removed', 'The end marker of the log is missing.')
  let last: ChainHead = GENESIS
  for (const record of records) {
    const found = faultOfNumber(record, last, head) ?? faultOfContent(record, last, seqOfHash)
    if (found !== undefined) return found
    last = record
  }
  return faultOfEnd(last, head)
}

function faultOfNumber({ seq }: ChainedRecord, last: ChainHead, head: ChainHead): ChainFault | undefined {
  const expected = last.seq + 1
  if (seq > head.seq && expected > head.seq) {
    return fault(seq, 'added', `Record ${seq} was added: the log ends with record ${head.seq}.`)
  }
  if (seq < expected) return fault(seq, 'added', `Record ${seq} was added: its number is out of order.`)
  return seq === expected ? undefined : removalFault(expected, Math.min(seq - 1, head.seq))
}

function faultOfContent(
  record: ChainedRecord,
  last: ChainHead,
  seqOfHash: StoredChain['seqOfHash'],
): ChainFault | undefined {
  const { seq } = record
  if (hashRecord(record, record.prev_hash) !== record.hash) {
    const origin = originOf(record, seqOfHash)
    if (origin === undefined) return fault(seq, 'altered', `Record ${seq} was altered.`)
    return fault(seq, 'moved', `Record ${seq} has the contents of record ${origin}: records were moved.`)
  }
  if (record.prev_hash === last.hash) return undefined
  if (seq === 1) return fault(1, 'altered', 'Record 1 was altered: it does not start the chain.')
  return rehashFault(last.seq)
}

/** Returns the number under which the record's content and hash agree. */
function originOf(record: ChainedRecord, seqOfHash: StoredChain['seqOfHash']): number | undefined {
  const afterItsPrevious = (seqOfHash(record.prev_hash) ?? 0) + 1
  const candidates = [afterItsPrevious, record.seq + 1, record.seq - 1].filter((seq) => seq !== record.seq)
  return candidates.find((seq) => hashRecord({ ...record, seq }, record.prev_hash) === record.hash)
}

function faultOfEnd(last: ChainHead, head: ChainHead): ChainFault | undefined {
  if (last.seq < head.seq) return removalFault(last.seq + 1, head.seq)
  return last.hash === head.hash ? undefined : rehashFault(last.seq)
}

/** The record matches its own hash, but the next one is chained to another hash. */
function rehashFault(seq: number): ChainFault {
  return fault(seq, 'altered', `Record ${seq} was replaced: the next record is chained to another hash.`)
}

function removalFault(first: number, last: number): ChainFault {
  const records = first === last ? `Record ${first} was` : `Records ${first} to ${last} were`
  return fault(first, 'removed', `${records} removed.`)
}

function fault(seq: number, kind: FaultKind, detail: string): ChainFault {
  return { seq, kind, detail }
}
