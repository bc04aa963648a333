import type { FeatureFlag } from '#ports/controls.ts'
import { FEATURE_EFFECTS } from '#ports/feature-effects.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'

export interface FlagListProps {
  flags: readonly FeatureFlag[]
  /** Whether the flags have an effect. */
  isLive: boolean
  isBusy: (flag: FeatureFlag) => boolean
  onSet: (flag: FeatureFlag, enabled: boolean) => void
}

/** FEAT-2: a flag offers only the state it is not in. */
export function FlagList({ flags, isLive, isBusy, onSet }: FlagListProps) {
  if (flags.length === 0) return <EmptyState title={copy.flags.empty} />
  return (
    <EntryList label={copy.flags.title}>
      {flags.map((flag) => (
        <Entry
          key={flag.id}
          name={flag.name}
          note={isLive ? noteOf(flag) : undefined}
          status={
            <Badge tone={flag.enabled ? 'good' : 'calm'} dot>
              {stateOf(flag)}
            </Badge>
          }
        >
          <Button busy={isBusy(flag)} onClick={() => onSet(flag, !flag.enabled)}>
            {flag.enabled ? copy.flags.disable : copy.flags.enable}
          </Button>
        </Entry>
      ))}
    </EntryList>
  )
}

/** FEAT-11: what the flag means as it is. */
function noteOf({ id, enabled }: FeatureFlag): string | undefined {
  const effect = FEATURE_EFFECTS.get(id)
  return enabled ? effect?.on : effect?.off
}

function stateOf({ enabled }: FeatureFlag): string {
  if (enabled === undefined) return copy.flags.unknown
  return enabled ? copy.flags.on : copy.flags.off
}
