import { listUnbuilt } from '@binnacle/server'

/** Calls of the contract that still answer 501: told on every run, so that none is forgotten silently. */
const unbuilt = await listUnbuilt()
console.log(
  `unbuilt: ${unbuilt.length} calls answer 501${unbuilt.length === 0 ? '' : `: ${unbuilt.join(', ')}`}`,
)
