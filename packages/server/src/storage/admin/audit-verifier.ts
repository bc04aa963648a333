import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ChainHead } from '#storage/audit/chain.ts'
import type { ChainFault } from '#storage/audit/verify-chain.ts'

export interface AuditVerdict {
  /** The head at the time of reading; undefined if it is missing. */
  head: ChainHead | undefined
  fault: ChainFault | undefined
  /** The first loss that nobody has acknowledged. The chain itself may be intact. */
  loss: ChainFault | undefined
  durationMs: number
}

/** Verifies on a worker thread, because it reads the whole log. Concurrent calls share one run. */
export function createAuditVerifier(file: string): () => Promise<AuditVerdict> {
  let pending: Promise<AuditVerdict> | undefined
  return () => {
    pending ??= verifyInWorker(file).finally(() => {
      pending = undefined
    })
    return pending
  }
}

async function verifyInWorker(file: string): Promise<AuditVerdict> {
  const worker = new Worker(new URL('./audit-verifier.worker.ts', import.meta.url), {
    workerData: file,
    name: 'audit-verification',
  })
  const [verdict] = await once(worker, 'message')
  return verdict
}
