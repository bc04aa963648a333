import { parentPort, workerData } from 'node:worker_threads'
import { checkHistory } from './check-history.ts'
import type { DeskPaths } from './desk-protocol.ts'

/** Runs one check on its own thread: it folds the whole journal. */

// The history check starts this file with exactly these options.
const { paths, isHurried } = workerData as { paths: DeskPaths; isHurried: boolean }
parentPort?.postMessage(await checkHistory(paths, { isHurried }))
