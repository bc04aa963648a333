import type { Position } from '@binnacle/contract'
import { describeHolder, describePosition } from './position-summary.ts'

export interface PositionInQuestionProps {
  position: Position
}

export function PositionInQuestion({ position }: PositionInQuestionProps) {
  const holder = describeHolder(position)
  return (
    <>
      <p>{describePosition(position)}</p>
      {holder !== undefined && <p>{holder}</p>}
    </>
  )
}
