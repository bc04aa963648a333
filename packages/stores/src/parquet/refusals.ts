import { StoreRefusal } from '#store-refusal.ts'

/** Messages of DuckDB begin with their kind, such as 'Parser Error:'; some of its client begin otherwise. */
const DUCK_ERROR = /^([A-Z][A-Za-z ]* (Error|Exception): |Failed to |Error in native callback)/

/** Turns DuckDB's errors into refusals. Other errors are faults. */
export async function refuseDuckErrors<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (fault) {
    throw fault instanceof Error && DUCK_ERROR.test(fault.message) ? refusalOf(fault) : fault
  }
}

function refusalOf({ message }: Error): StoreRefusal {
  const [sentence = message] = message.split('\n')
  return new StoreRefusal('store.refused', sentence)
}
