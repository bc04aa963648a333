import type { Breakage } from './breaking/breakage.ts'

const server = 'packages/server/src'
const contract = 'packages/contract/src'

/** Small edits, each breaking one rule or guard: a test that answers for it must turn red. */
// biome-ignore format: a table reads best with one edit per line
export const BREAKAGES: readonly Breakage[] = [
  ['door: host', `${server}/http/door.ts`, '!hosts.every((host) => isOurHost(host, ownPort))', 'false', `${server}/http/door.test.ts`],
  ['door: two hosts', `${server}/http/door.ts`, 'if (named.length !== 1) return []', '', `${server}/http/door.test.ts`],
  ['door: origin', `${server}/http/door.ts`, 'return mayCross(site, origin) ? undefined : ORIGIN_REFUSAL', 'return undefined', `${server}/http/door.test.ts`],
  ['door: site', `${server}/http/door.ts`, "if (site !== undefined && site !== 'same-origin' && site !== 'none') return false", '', `${server}/http/door.test.ts`],
  ['door: upgrade', `${server}/http/door.ts`, " || request.headers.upgrade !== undefined", '', `${server}/http/listener.test.ts`],
  ['CALL-1', `${contract}/constants.ts`, '8001', '8003', `${server}/config.test.ts`],
]
