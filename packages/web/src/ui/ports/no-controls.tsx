import { Notice } from '#ui/state/notice.tsx'

export interface NoControlsProps {
  /** What this screen controls, such as 'components'. */
  things: string
  why: 'unknown' | 'unsupported'
}

/** CAP-4: shown in place of controls while the backend is unknown or not supported. */
export function NoControls({ things, why }: NoControlsProps) {
  if (why === 'unknown') {
    return (
      <Notice tone="calm" title="Waiting for the server">
        Controls for {things} appear once the server has reported its capabilities.
      </Notice>
    )
  }
  return (
    <Notice tone="calm" title={`No controls for ${things} in this version`}>
      The server offers them, but this version of the console does not support them yet.
    </Notice>
  )
}
