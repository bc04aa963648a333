import { parentPort, workerData } from 'node:worker_threads'
import { openFileReader, type ReaderAnswer, type ReaderRequest } from './performance-reader.ts'

// Set by openPerformanceReader.
const reader = openFileReader(workerData as string)
const answer = (message: ReaderAnswer) => parentPort?.postMessage(message)

parentPort?.on('message', async ({ id, kind, query }: ReaderRequest) => {
  try {
    // The sender passes the query of the method it names.
    const read = reader[kind] as (query: unknown) => Promise<unknown>
    answer({ id, result: await read(query) })
  } catch (fault) {
    answer({ id, message: fault instanceof Error ? fault.message : String(fault) })
  }
})
