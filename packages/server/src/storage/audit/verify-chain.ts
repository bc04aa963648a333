import { type ChainedLine, type ChainHead, GENESIS, hashLine } from './chain.ts'

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
  lines: Iterable<ChainedLine>
  seqOfHash(hash: string): number | undefined
}

/** Verifies the whole chain and returns its first fault. */
export function findChainFault({ head, lines, seqOfHash }: StoredChain): ChainFault | undefined {
  if (head === undefined) return fault(0, 'removed', 'The end marker of the log is missing.')
  let last: ChainHead = GENESIS
  for (const line of lines) {
    const found = faultOfLine(line, last, head) ?? faultOfContent(line, last, seqOfHash)
    if (found !== undefined) return found
    last = line
  }
  return faultOfEnd(last, head)
}

function faultOfLine({ seq }: ChainedLine, last: ChainHead, head: ChainHead): ChainFault | undefined {
  const expected = last.seq + 1
  if (seq > head.seq && expected > head.seq) {
    return fault(seq, 'added', `Line ${seq} was added: the log ends with line ${head.seq}.`)
  }
  if (seq < expected) return fault(seq, 'added', `Line ${seq} was added: its number is out of order.`)
  return seq === expected ? undefined : removed(expected, Math.min(seq - 1, head.seq))
}

function faultOfContent(
  line: ChainedLine,
  last: ChainHead,
  seqOfHash: StoredChain['seqOfHash'],
): ChainFault | undefined {
  const { seq } = line
  if (hashLine(line, line.prev_hash) !== line.hash) {
    const origin = originOf(line, seqOfHash)
    if (origin === undefined) return fault(seq, 'altered', `Line ${seq} was altered.`)
    return fault(seq, 'moved', `Line ${seq} has the contents of line ${origin}: lines were moved.`)
  }
  if (line.prev_hash === last.hash) return undefined
  if (seq === 1) return fault(1, 'altered', 'Line 1 was altered: it does not start the chain.')
  return rehashed(last.seq)
}

/** Returns the number under which the record's content and hash agree. */
function originOf(line: ChainedLine, seqOfHash: StoredChain['seqOfHash']): number | undefined {
  const afterItsPrevious = (seqOfHash(line.prev_hash) ?? 0) + 1
  const candidates = [afterItsPrevious, line.seq + 1, line.seq - 1].filter((seq) => seq !== line.seq)
  return candidates.find((seq) => hashLine({ ...line, seq }, line.prev_hash) === line.hash)
}

function faultOfEnd(last: ChainHead, head: ChainHead): ChainFault | undefined {
  if (last.seq < head.seq) return removed(last.seq + 1, head.seq)
  return last.hash === head.hash ? undefined : rehashed(last.seq)
}

/** The record matches its own hash, but the next one is chained to another hash. */
function rehashed(seq: number): ChainFault {
  return fault(seq, 'altered', `Line ${seq} was replaced: the next line is chained to another hash.`)
}

function removed(first: number, last: number): ChainFault {
  const lines = first === last ? `Line ${first} was` : `Lines ${first} to ${last} were`
  return fault(first, 'removed', `${lines} removed.`)
}

function fault(seq: number, kind: FaultKind, detail: string): ChainFault {
  return { seq, kind, detail }
}
