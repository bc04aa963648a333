import type { FeatureFlag } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Entry, EntryList } from '#ui/list/entry-list.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'

export interface FlagListProps {
  flags: readonly FeatureFlag[]
  isBusy: (flag: FeatureFlag) => boolean
  onSet: (flag: FeatureFlag, enabled: boolean) => void
}

/** FEAT-2: a flag offers only the state it is not in. */
export function FlagList({ flags, isBusy, onSet }: FlagListProps) {
  if (flags.length === 0) return <EmptyState title={copy.flags.empty} />
  return (
    <EntryList label={copy.flags.title}>
      {flags.map((flag) => (
        <Entry
          key={flag.id}
          name={flag.name}
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

function stateOf({ enabled }: FeatureFlag): string {
  if (enabled === undefined) return copy.flags.unknown
  return enabled ? copy.flags.on : copy.flags.off
}
