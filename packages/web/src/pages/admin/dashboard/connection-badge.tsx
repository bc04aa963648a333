import { Badge } from '#ui/figure/badge.tsx'
import { copy } from './copy.ts'

export interface ConnectionBadgeProps {
  state: 'connecting' | 'connected' | 'disconnected'
  traderId: string | undefined
}

/** ADM-2 to ADM-4: the state beside the title, in words first and colour second. */
export function ConnectionBadge({ state, traderId = '' }: ConnectionBadgeProps) {
  if (state === 'connecting') return <Badge tone="calm">{copy.connecting}</Badge>
  if (state === 'disconnected') return <Badge tone="bad">{copy.disconnected}</Badge>
  return <Badge tone="good">{copy.connectedTo(traderId)}</Badge>
}
