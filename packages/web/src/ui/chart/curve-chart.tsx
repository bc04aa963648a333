import { useEffect, useRef } from 'react'
import { useChartColors } from './chart-theme.ts'
import classes from './curve-chart.module.css'
import { type Curve, CurveView } from './curve-view.ts'

export interface CurveChartProps {
  /** What the chart shows, in a sentence. */
  label: string
  /** At most six. One alone is an area that changes colour at the base. */
  curves: readonly Curve[]
  base: number
  format: (value: number) => string
  /** Below zero, on a scale of its own under the first one. */
  lower?: (Curve & { format: (value: number) => string }) | undefined
  size?: 'large' | 'small'
}

/** Curves over weeks or years, each with its own colour, dash and name at its end. */
export function CurveChart({ label, curves, base, format, lower, size = 'large' }: CurveChartProps) {
  const colors = useChartColors()
  const frame = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const view = useRef<CurveView>(undefined)
  useEffect(() => {
    if (frame.current === null || readout.current === null || !canPaint()) return
    const opened = new CurveView(frame.current, readout.current)
    view.current = opened
    return () => opened.remove()
  }, [])
  useEffect(
    () => view.current?.draw({ curves, base, format, lower }, colors),
    [colors, curves, base, format, lower],
  )
  return (
    <figure className={classes.figure} aria-label={label}>
      <div ref={frame} className={classes.frame} data-size={size} aria-hidden />
      <p ref={readout} className={classes.readout} aria-hidden />
    </figure>
  )
}

/** False where the browser forbids canvases; the figures beside the chart are there all the same. */
function canPaint(): boolean {
  return document.createElement('canvas').getContext('2d') !== null
}
