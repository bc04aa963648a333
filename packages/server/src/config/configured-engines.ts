import { type EngineConfig, type NautilusNode, parseNodeAddress, readEnginesFile } from './engines-file.ts'
import type { Settings } from './environment.ts'
import { StartRefusal } from './start-refusal.ts'

/** The only engine of a console without a file of engines. */
const SINGLE_ENGINE = 'main'
const REPLACED = ['BINNACLE_ENGINE', 'BINNACLE_NAUTILUS_ADDRESS'] as const

/** The engines of the console, the default one first; `set` has the variables that are set. */
export function enginesOf(
  settings: Settings,
  set: Record<string, string | undefined>,
): readonly EngineConfig[] {
  const { BINNACLE_ENGINES: file, BINNACLE_ENGINE: kind, BINNACLE_TRADER_ID: traderId } = settings
  if (file === undefined) return [{ name: SINGLE_ENGINE, kind, traderId, node: nodeOf(settings) }]
  const replaced = REPLACED.find((name) => set[name] !== undefined)
  if (replaced === undefined) return readEnginesFile(file, traderId)
  throw new StartRefusal(`${replaced} must not be set with BINNACLE_ENGINES: the file names every engine.`)
}

function nodeOf({
  BINNACLE_ENGINE: engine,
  BINNACLE_NAUTILUS_ADDRESS: address,
  BINNACLE_NAUTILUS_TOKEN_FILE: tokenFile,
  BINNACLE_NAUTILUS_CA_FILE: caFile,
}: Settings): NautilusNode | undefined {
  const at = address === undefined ? undefined : parseNodeAddress(address)
  if (address === undefined || at === undefined) return undefined
  if (engine !== 'nautilus')
    throw new StartRefusal('BINNACLE_NAUTILUS_ADDRESS needs BINNACLE_ENGINE=nautilus.')
  if (at.kind === 'tls' && tokenFile === undefined)
    throw new StartRefusal('BINNACLE_NAUTILUS_TOKEN_FILE must be set too: a node by TLS needs its token.')
  return { address, at, tokenFile, caFile }
}
