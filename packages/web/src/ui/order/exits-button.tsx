import { Button } from '#ui/control/button.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import type { HeldPosition } from './exits.ts'
import classes from './exits-button.module.css'

export interface ExitsButtonProps {
  position: HeldPosition & { exit_obstacle?: string | null | undefined }
  format: (price: number) => string
  /** Names the prices in the button, where no column title does. */
  isNamed?: boolean
  onOpen: () => void
}

/** POS-27: shows the exit prices of a position and opens their dialog. */
export function ExitsButton({ position, format, isNamed = false, onOpen }: ExitsButtonProps) {
  const { id, stop_loss: stop, take_profit: profit, exit_obstacle: obstacle } = position
  const print = (price: number | null | undefined) => (typeof price === 'number' ? format(price) : '—')
  const isSet = typeof stop === 'number' || typeof profit === 'number'
  const text = isSet ? `${print(stop)} / ${print(profit)}` : 'Set'
  const namedText = isSet
    ? `Stop-loss ${print(stop)} · take-profit ${print(profit)}`
    : 'Set stop-loss / take-profit'
  const shown = isNamed ? namedText : text
  return (
    <span className={classes.exits}>
      <Button aria-label={`Stop-loss and take-profit of ${id}: ${shown}`} onClick={onOpen}>
        {shown}
      </Button>
      {obstacle && <ToneText tone="warn">{`Reached, waiting: ${obstacle}`}</ToneText>}
    </span>
  )
}
