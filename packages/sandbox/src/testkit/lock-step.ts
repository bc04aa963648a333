import type { Command, JournalEntry, StrategyId, StrategyKind } from '@binnacle/engine'
import { type CustomChild, startCustomChild } from '#custom-child.ts'
import { createCustomKind } from '#custom-kind.ts'
import type { CustomStrategyProxy } from '#custom-strategy-proxy.ts'
import { toIntent } from '#intent.ts'

/**
 * Custom strategies of a backtest in lock-step: the market waits for a reply of the process that live trading uses. It
 * is the reference that hosted backtests are compared with.
 */
export interface CustomPlayer {
  readonly kind: StrategyKind
  /** Whether a strategy has updates that were not delivered yet. */
  readonly isWaiting: boolean
  /** Delivers the updates and returns the intents as commands; none once a module has failed. */
  answers(): Promise<readonly Command[]>
  /** Follows the journal: the engine stops a strategy whose intents are invalid. */
  follow(entry: JournalEntry): void
  /** Why a module was stopped; the run has failed then. */
  readonly failure: string | null
  close(): void
}

export interface CustomPlayerOptions {
  folder: string
  seed: number
  startChild?: typeof startCustomChild
}

export function openCustomPlayer(options: CustomPlayerOptions): CustomPlayer {
  const { folder, seed, startChild = startCustomChild } = options
  const waiting = new Set<CustomStrategyProxy>()
  const children = new Map<CustomStrategyProxy, CustomChild>()
  let failure: string | null = null

  async function childOf(proxy: CustomStrategyProxy, strategy: StrategyId): Promise<CustomChild> {
    const { module, ...terms } = proxy.terms
    const known = children.get(proxy)
    if (known !== undefined) return known
    const child = await startChild({ folder, module, terms: { ...terms, strategy, seed } })
    children.set(proxy, child)
    return child
  }

  async function answerOf(proxy: CustomStrategyProxy, strategy: StrategyId): Promise<Command[]> {
    const child = await childOf(proxy, strategy)
    const commands: Command[] = []
    for (const each of proxy.take()) {
      if (each.bars.length === 0 && !child.wantsQuotes) continue
      const intents = await child.deliver(each)
      if (intents.length > 0)
        commands.push({ type: 'SubmitIntents', strategy, intents: intents.map(toIntent) })
    }
    return commands
  }

  async function answersOf(proxies: readonly CustomStrategyProxy[]): Promise<Command[]> {
    const commands: Command[] = []
    for (const proxy of proxies) {
      if (proxy.strategy !== null) commands.push(...(await answerOf(proxy, proxy.strategy)))
    }
    return commands
  }

  return {
    kind: createCustomKind(folder, (proxy) => waiting.add(proxy)),
    get isWaiting() {
      return waiting.size > 0
    },
    follow({ events }) {
      for (const event of events) if (event.type === 'StrategyFailed') failure ??= event.reason
    },
    get failure() {
      return failure
    },
    async answers() {
      const proxies = [...waiting]
      waiting.clear()
      try {
        return failure === null ? await answersOf(proxies) : []
      } catch (fault) {
        failure = fault instanceof Error ? fault.message : String(fault)
        return []
      }
    },
    close() {
      failure ??= 'The run was stopped.'
      for (const child of children.values()) child.end()
    },
  }
}
