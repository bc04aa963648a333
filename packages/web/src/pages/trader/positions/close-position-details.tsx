import type { Position } from '@binnacle/contract'
import { describeHolder, describePosition } from './position-summary.ts'

export interface ClosePositionDetailsProps {
  position: Position
}

export function ClosePositionDetails({ position }: ClosePositionDetailsProps) {
  const holder = describeHolder(position)
  return (
    <>
      <p>{describePosition(position)}</p>
      {holder !== undefined && <p>{holder}</p>}
    </>
  )
}
