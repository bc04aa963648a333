import { type SubmitEvent, useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { formatGain, formatPriceAtTick, formatQuantity } from '#format/money.ts'
import { Button } from '#ui/control/button.tsx'
import { Dialog, DialogActions } from '#ui/control/dialog.tsx'
import { TextField } from '#ui/control/field.tsx'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { Notice } from '#ui/state/notice.tsx'
import { type ExitName, gainAt, type HeldPosition } from './exits.ts'
import classes from './exits-dialog.module.css'

export interface ExitsDialogProps {
  /** Undefined while the dialog is closed. */
  position: HeldPosition | undefined
  /** The price of the moment; the position's own if absent. */
  now: number | undefined
  /** An exit price whose line was dropped at another price. */
  dropped?: { exit: ExitName; price: number } | undefined
  tick: number | undefined
  busy: boolean
  failure: FormFailure | undefined
  onClose: () => void
  onSubmit: (exits: ExitsChange) => void
}

/** Null removes a price; one that stays as it was is left out. */
export type ExitsChange = { [Exit in ExitName]?: number | null }

/** POS-27: the stop-loss and the take-profit of a position. */
export function ExitsDialog({ position, busy, onClose, ...rest }: ExitsDialogProps) {
  return (
    <Dialog
      title="Stop-Loss and Take-Profit"
      size="small"
      opened={position !== undefined}
      busy={busy}
      onClose={onClose}
    >
      {position && <ExitsForm position={position} busy={busy} onClose={onClose} {...rest} />}
    </Dialog>
  )
}

const LABELS: Readonly<Record<ExitName, string>> = { stop_loss: 'Stop-loss', take_profit: 'Take-profit' }
const NAMES = ['stop_loss', 'take_profit'] as const

function ExitsForm(props: ExitsDialogProps & { position: HeldPosition }) {
  const { position, now = position.current_price, dropped, tick, busy, onClose, onSubmit } = props
  const [texts, setTexts] = useState(() => ({
    stop_loss: textOf(position.stop_loss),
    take_profit: textOf(position.take_profit),
    ...(dropped && { [dropped.exit]: String(dropped.price) }),
  }))
  const print = (price: number) => formatPriceAtTick(price, tick)
  const change = changeOf(position, texts)
  const { shown: failure, markSent } = useRefusal(props.failure, change)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (NAMES.some((name) => faultOf(texts[name]) !== undefined)) return
    markSent()
    onSubmit(change)
  }
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <p>
        {position.id} · {position.side} {formatQuantity(position.quantity)} {position.instrument} · entry{' '}
        {print(position.entry_price)} · now {print(now)}
      </p>
      {NAMES.map((name) => (
        <TextField
          key={name}
          label={LABELS[name]}
          hint={hintOf(position, name, texts[name], print)}
          error={faultOf(texts[name]) ?? failure?.fields[name]}
          type="number"
          step={tick ?? 'any'}
          {...(name === (dropped?.exit ?? 'stop_loss') && { 'data-autofocus': true })}
          value={texts[name]}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <p className={classes.note}>
        When the market reaches one of them, the engine closes the whole position by a reduce-only market
        order; the other one ends with it. Leave a field empty to remove that exit.
      </p>
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <DialogActions>
        <Button kind="primary" type="submit" busy={busy}>
          Save Exits
        </Button>
        <Button disabled={busy} onClick={onClose}>
          Cancel
        </Button>
      </DialogActions>
    </form>
  )
}

/** POS-550: what is wrong with a price, whatever the market does. */
function faultOf(text: string): string | undefined {
  if (text === '') return undefined
  const price = Number.parseFloat(text)
  if (Number.isNaN(price)) return 'Enter a number such as 148.5, or leave it empty.'
  return price > 0 ? undefined : 'Enter a price above 0, or leave it empty.'
}

function textOf(price: number | null | undefined): string {
  return typeof price === 'number' ? String(price) : ''
}

/** What the price means: its result, and what it was before. */
function hintOf(
  position: HeldPosition,
  name: ExitName,
  text: string,
  print: (price: number) => string,
): string | undefined {
  const price = Number.parseFloat(text)
  const before = position[name]
  const result = !(price > 0) ? [] : [`${formatGain(gainAt(position, price))} before fees`]
  const was = typeof before === 'number' && before !== price ? [`was ${print(before)}`] : []
  return [...result, ...was].join(' · ') || undefined
}

/** Only what differs is sent. */
function changeOf(position: HeldPosition, texts: Readonly<Record<ExitName, string>>): ExitsChange {
  const change: ExitsChange = {}
  for (const name of NAMES) {
    const price = texts[name] === '' ? null : Number.parseFloat(texts[name])
    if (price !== (position[name] ?? null)) change[name] = price
  }
  return change
}
