import { listUnbuilt } from '@binnacle/server/testkit'

/** Prints the calls of the contract that still answer 501. */
const unbuilt = await listUnbuilt()
console.log(
  `unbuilt: ${unbuilt.length} calls answer 501${unbuilt.length === 0 ? '' : `: ${unbuilt.join(', ')}`}`,
)
