import type { Command, JournalEntry, StrategyId, StrategyKind } from '@binnacle/engine'
import { type CustomChild, startCustomChild } from './custom-child.ts'
import { intentOf } from './custom-host.ts'
import { createCustomKind } from './custom-kind.ts'
import type { Hearing } from './hearing.ts'

/** Custom strategies of a backtest: the market waits for each answer, so every run is the same. */
export interface CustomPlayer {
  readonly kind: StrategyKind
  /** Whether a strategy heard something that it has not answered yet. */
  readonly isWaiting: boolean
  /** Returns what the strategies want about what they heard; nothing once a module failed. */
  answers(): Promise<readonly Command[]>
  /** Takes note of what happened: a strategy whose wishes make no sense is ended by the engine. */
  follow(entry: JournalEntry): void
  /** Why a module was ended, in a sentence; the run is worth nothing then. */
  readonly failure: string | null
  close(): void
}

export interface CustomPlayerOptions {
  folder: string
  seed: number
  /** Hears what modules print. */
  onSaid?: (line: string) => void
}

export function openCustomPlayer({ folder, seed, onSaid = () => {} }: CustomPlayerOptions): CustomPlayer {
  const heard = new Set<Hearing>()
  const children = new Map<Hearing, CustomChild>()
  let failure: string | null = null

  async function childOf(hearing: Hearing, strategy: StrategyId): Promise<CustomChild> {
    const { module, ...terms } = hearing.terms
    const known = children.get(hearing)
    if (known !== undefined) return known
    const child = await startCustomChild({ folder, module, terms: { ...terms, strategy, seed }, onSaid })
    children.set(hearing, child)
    return child
  }

  async function answerOf(hearing: Hearing, strategy: StrategyId): Promise<Command[]> {
    const child = await childOf(hearing, strategy)
    const commands: Command[] = []
    for (const each of hearing.take()) {
      if (each.bars.length === 0 && !child.hearsQuotes) continue
      const intents = await child.ask(each)
      if (intents.length > 0) commands.push({ type: 'GiveIntents', strategy, intents: intents.map(intentOf) })
    }
    return commands
  }

  async function answersOf(hearings: readonly Hearing[]): Promise<Command[]> {
    const commands: Command[] = []
    for (const hearing of hearings) {
      if (hearing.strategy !== null) commands.push(...(await answerOf(hearing, hearing.strategy)))
    }
    return commands
  }

  return {
    kind: createCustomKind(folder, (hearing) => heard.add(hearing)),
    get isWaiting() {
      return heard.size > 0
    },
    follow({ events }) {
      for (const event of events) if (event.type === 'StrategyFailed') failure ??= event.reason
    },
    get failure() {
      return failure
    },
    async answers() {
      const hearings = [...heard]
      heard.clear()
      try {
        return failure === null ? await answersOf(hearings) : []
      } catch (fault) {
        failure = fault instanceof Error ? fault.message : String(fault)
        return []
      }
    },
    close() {
      failure ??= 'The run was ended.'
      for (const child of children.values()) child.end()
    },
  }
}
