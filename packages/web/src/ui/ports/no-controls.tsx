import { Notice } from '#ui/state/notice.tsx'

export interface NoControlsProps {
  /** What would be controlled here: 'components'. */
  things: string
  why: 'unknown' | 'undrivable'
}

/** CAP-4: stands where controls would be, as long as nobody can say that they would be true. */
export function NoControls({ things, why }: NoControlsProps) {
  if (why === 'unknown') {
    return (
      <Notice tone="calm" title="Waiting for the server to say what it can do">
        Until it does, nothing about {things} is shown or can be changed here. The console keeps asking.
      </Notice>
    )
  }
  return (
    <Notice tone="calm" title={`No controls for ${things} in this version`}>
      The server runs these for real, and this console cannot operate them yet. Simulated controls over a live
      engine would mislead, so none are shown.
    </Notice>
  )
}
