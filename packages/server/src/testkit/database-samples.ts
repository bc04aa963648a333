import type { AdminStore } from '#storage/admin-store.ts'
import type { Sample } from './admin-samples.ts'

type SampleOf = (store: AdminStore, nth: number) => Sample | Promise<Sample>

/**
 * A request that changes something, for every call of the database API that can and is built. What it acts on is made
 * first. The test that walks the contract fails for a call that has none here.
 */
export const DATABASE_SAMPLES: Record<string, SampleOf> = {}
