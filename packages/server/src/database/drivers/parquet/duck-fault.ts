import { StoreRefusal } from '#database/drivers/store-refusal.ts'

/** DuckDB's own errors begin with their kind, such as 'Parser Error:'; its client says of some only that they are. */
const KIND = /^([A-Z][A-Za-z ]* (Error|Exception): |Failed to |Error in native callback)/

/** What DuckDB finds fault with is an answer to the person who asked; anything else thrown is ours. */
export async function asDuckSays<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (fault) {
    throw fault instanceof Error && KIND.test(fault.message) ? refusalOf(fault) : fault
  }
}

function refusalOf({ message }: Error): StoreRefusal {
  const [sentence = message] = message.split('\n')
  return new StoreRefusal('store.refused', sentence)
}
