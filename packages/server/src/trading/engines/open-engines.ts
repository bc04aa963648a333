import type { FastifyBaseLogger } from 'fastify'
import type { EngineConfig } from '#config/engines-file.ts'
import type { AdminStore } from '#storage/admin-store.ts'
import type { DataFolder } from '#storage/data-folder.ts'
import { openEngineFolders } from '#storage/engine-folders.ts'
import { openEmbeddedEngine } from './embedded-engine.ts'
import { closeEngine, type OpenEngine, openEngineWithSamples, storeOf } from './engine-unit.ts'
import type { NautilusEngineOptions } from './nautilus-engine.ts'
import type { TradingEngine, TradingEngineOptions } from './trading-engine.ts'

export interface EngineOpenerOptions {
  /** The data folder of the server. */
  root: DataFolder
  store: AdminStore
  logger: FastifyBaseLogger
  onFault: (fault: unknown) => void
  config: {
    engines: readonly EngineConfig[]
    enginesFile?: string | undefined
    historyDays: number
    nautilusPython?: string | undefined
    postgresTools: { path: string }
  }
}

/** How long a node is waited for. */
type NodeWait = Pick<NautilusEngineOptions, 'startMs' | 'signal'>

export type EngineOpener = (engine: EngineConfig, wait?: NodeWait) => Promise<OpenEngine>

/** Returns the function that opens an engine of the configuration in its folder. */
export async function createEngineOpener(options: EngineOpenerOptions): Promise<EngineOpener> {
  const { root, store, logger, onFault, config } = options
  const folderOf = await openEngineFolders(root, config.engines, config.enginesFile !== undefined)
  return async (engine, wait = {}) => {
    const folder = await folderOf(engine)
    const own = storeOf(store, engine, folder)
    const engineOptions: TradingEngineOptions = {
      folder: folder.data,
      strategiesFolder: root.at('strategies'),
      historyDays: config.historyDays,
      store: own,
      logger,
      onFault,
    }
    const openEngine = () =>
      engine.kind === 'embedded'
        ? openEmbeddedEngine(engineOptions)
        : openNode(engine, { ...engineOptions, ...wait }, options)
    return openEngineWithSamples({ config: engine, folder, store: own, logger, openEngine })
  }
}

/** A NautilusTrader node is loaded only where it is configured. */
async function openNode(
  { traderId, node }: EngineConfig,
  engineOptions: TradingEngineOptions & NodeWait,
  { root, config }: EngineOpenerOptions,
): Promise<TradingEngine> {
  const { openNautilusEngine } = await import('./nautilus-engine.ts')
  return openNautilusEngine({
    ...engineOptions,
    traderId,
    python: config.nautilusPython,
    setupFolder: root.at('nautilus'),
    elsewhere: node,
    path: config.postgresTools.path,
  })
}

/** The default engine and those of this process are open when the server listens; a node may be reached later. */
export function isAwaited({ kind }: EngineConfig, index: number): boolean {
  return index === 0 || kind === 'embedded'
}

/** One after the other: their journals are read from one disk. When one fails, those before it are closed. */
export async function openInTurn(
  engines: readonly EngineConfig[],
  open: EngineOpener,
): Promise<[OpenEngine, ...OpenEngine[]]> {
  const opened: OpenEngine[] = []
  try {
    for (const engine of engines) opened.push(await open(engine))
  } catch (fault) {
    await Promise.all(opened.map((each) => closeEngine(each, 0)))
    throw fault
  }
  // A configuration has at least one.
  return opened as [OpenEngine, ...OpenEngine[]]
}
