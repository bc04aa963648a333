import { Notice } from './notice.tsx'

export interface NoControlsProps {
  /** What would be controlled here, in the plural: 'components'. */
  things: string
  why: 'unknown' | 'undrivable'
}

/** CAP-4: stands where controls would be, as long as nobody can say that they would be true. */
export function NoControls({ things, why }: NoControlsProps) {
  if (why === 'unknown') {
    return (
      <Notice tone="calm" title={`Waiting to learn how ${things} are run here`}>
        The server has not said yet what it can do, so no controls are shown. The console keeps asking.
      </Notice>
    )
  }
  return (
    <Notice tone="calm" title={`This server runs its own ${things}`}>
      This version of the console cannot operate them yet. Simulated controls over a live engine would
      mislead, so none are shown.
    </Notice>
  )
}
