import { useSystemIdentity } from '#data/system-identity.ts'
import { Badge } from '#ui/figure/badge.tsx'
import type { Tone } from '#ui/look/tone.ts'

/** SET-23: the name that Settings gives the system. */
export function SystemName() {
  return useSystemIdentity()?.system_name ?? 'Binnacle'
}

const TONES: Readonly<Record<string, Tone>> = { Staging: 'warn', Development: 'info' }

/** SET-46 */
const MEANING = 'Environment: a label set in Admin → Settings. It does not say whether the venues are real.'

/** SET-23: which system a person is about to act on. */
export function EnvironmentTag() {
  const identity = useSystemIdentity()
  if (identity === undefined) return null
  const { environment } = identity
  return (
    <span title={MEANING}>
      <Badge tone={TONES[environment] ?? 'calm'}>{environment}</Badge>
    </span>
  )
}
