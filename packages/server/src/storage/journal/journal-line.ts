import { crc32 } from 'node:zlib'
import { Fault, journalGap } from '@binnacle/engine'

/** A stored entry; `chain` is the checksum over its text and the previous checksum. */
export interface Line {
  seq: number
  text: string
  chain: number
}

/** An entry's position in the chain, without its text. */
export type ChainLink = Pick<Line, 'seq' | 'chain'>

/** Predecessor of the first entry. */
export const CHAIN_START: ChainLink = { seq: 0, chain: 0 }

/** Returns the checksum of an entry, given its predecessor's. */
export function chainAfter(chain: number, text: string): number {
  return crc32(text, chain)
}

/** Throws if the line does not follow the link or its checksum differs. */
export function verifyLine(line: Line, last: ChainLink): void {
  if (line.seq !== last.seq + 1) throw journalGap(line.seq, last.seq)
  if (chainAfter(last.chain, line.text) !== line.chain) {
    throw damagedFault(`entry ${line.seq} was altered: its checksum differs`)
  }
}

export function damagedFault(what: string): Fault {
  return new Fault('journal.damaged', `the journal is damaged: ${what}`)
}
