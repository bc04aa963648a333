import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ChainHead } from '#audit/chain.ts'
import type { ChainFault } from '#audit/verify-chain.ts'

export interface AuditVerdict {
  /** Where the log ended when it was read; none if that record is gone. */
  head: ChainHead | undefined
  fault: ChainFault | undefined
  durationMs: number
}

/** Reads the whole log, so it works on a thread and a connection of its own; calls meanwhile share the verdict. */
export function createAuditVerifier(file: string): () => Promise<AuditVerdict> {
  let underWay: Promise<AuditVerdict> | undefined
  return () => {
    underWay ??= verifyInWorker(file).finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

async function verifyInWorker(file: string): Promise<AuditVerdict> {
  const worker = new Worker(new URL('./audit-verifier.worker.ts', import.meta.url), { workerData: file })
  const [verdict] = await once(worker, 'message')
  return verdict
}
