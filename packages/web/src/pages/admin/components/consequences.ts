import type { ComponentAction } from '#ports/controls.ts'
import { copy } from './copy.ts'

export interface Consequence {
  act: 'stop' | 'restart'
  text: string
}

/** What stopping or restarting one component does to trading, or all of them; nothing else takes anything away. */
export function consequenceOf(action: ComponentAction, componentId?: string): Consequence | undefined {
  if (action !== 'stop' && action !== 'restart') return undefined
  const { other, ...texts }: Record<string, string> & { other: string } = copy.consequences[action]
  return { act: action, text: texts[componentId ?? 'all'] ?? other }
}
