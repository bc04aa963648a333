import { type PointerEvent, useRef } from 'react'
import classes from './candle-chart.module.css'
import type { ChartLine, PriceStep } from './candle-view.ts'
import { roundToTick } from './round-to-tick.ts'

export interface LabelledLine extends ChartLine {
  text: string
  /** Can be dragged to another price. */
  isMovable: boolean
}

export interface OwnLinesProps {
  lines: readonly LabelledLine[]
  /** The price at a distance from the top of the chart. */
  priceAt: (y: number) => number | undefined
  step: PriceStep
  onDrag: (drag: { id: string; price: number } | undefined) => void
  onDrop: (id: string, price: number) => void
}

/** The labels of lines, by which orders are dragged. The chart places them at their prices. */
export function OwnLines({ lines, priceAt, step, onDrag, onDrop }: OwnLinesProps) {
  const drag = useRef<{ id: string; price: number; from: number }>(undefined)
  const end = () => {
    drag.current = undefined
    onDrag(undefined)
  }
  const start = (event: PointerEvent<HTMLElement>, { id, price }: LabelledLine) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    event.preventDefault()
    drag.current = { id, price, from: price }
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const overlay = event.currentTarget.parentElement
    if (drag.current === undefined || overlay === null) return
    const price = priceAt(event.clientY - overlay.getBoundingClientRect().top)
    if (price === undefined) return
    drag.current.price = roundToTick(price, step.tick)
    onDrag({ id: drag.current.id, price: drag.current.price })
  }
  const drop = () => {
    const { current } = drag
    end()
    if (current && current.price !== current.from) onDrop(current.id, current.price)
  }
  return lines.map((line) => (
    <span
      key={line.id}
      className={classes.lineLabel}
      data-tone={line.tone}
      data-price={line.price}
      data-movable={line.isMovable || undefined}
      {...(line.isMovable && {
        tabIndex: -1,
        onPointerDown: (event) => start(event, line),
        onPointerMove: move,
        onPointerUp: drop,
        onPointerCancel: end,
        onKeyDown: (event) => event.key === 'Escape' && end(),
      })}
    >
      {line.text}
      {line.isMovable && <b>{step.format(line.price)}</b>}
    </span>
  ))
}

/** The height of the legend with two lines, and half a label. */
const LEGEND_PX = 56

/**
 * MKT-58: moves each label to its price. Called at every repaint, so neither by rendering nor by reading sizes, which
 * would compute the layout of the page for every label and frame.
 */
export function placeLabels(overlay: HTMLElement | null, yOf: (price: number) => number | undefined): void {
  for (const label of overlay?.querySelectorAll<HTMLElement>('[data-price]') ?? []) {
    const y = yOf(Number(label.getAttribute('data-price')))
    label.style.visibility = y === undefined ? 'hidden' : 'visible'
    if (y === undefined) continue
    label.style.transform = `translateY(${Math.round(y)}px) translateY(-50%)`
    label.toggleAttribute('data-beside-legend', y < LEGEND_PX)
  }
}
