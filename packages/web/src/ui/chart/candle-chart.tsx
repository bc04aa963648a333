import {
  type Icon,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsRight,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import classes from './candle-chart.module.css'
import { CandleView, type ChartMark, type PriceStep } from './candle-view.ts'
import { ChartLegend } from './chart-legend.tsx'
import { type ChartColors, useChartColors } from './chart-theme.ts'
import type { ChartBar, ChosenIndicator } from './indicators.ts'
import { type LabelledLine, OwnLines, placeLabels } from './own-lines.tsx'

export interface CandleChartProps {
  /** What the chart shows, in a sentence. */
  label: string
  /** Bars that continue those before are added in place. Another chart gets another key. */
  bars: readonly ChartBar[]
  step: PriceStep & { isSeconds: boolean }
  indicators: readonly ChosenIndicator[]
  /** Lines and marks of ours. */
  own: { lines: readonly LabelledLine[]; marks: readonly ChartMark[] }
  on: {
    nearStart: () => void
    pick: (price: number) => void
    /** A line was dropped at another price. */
    drop: (line: string, price: number) => void
  }
}

/** Candles with volume, indicators and own lines. */
export function CandleChart({ label, bars, step, indicators, own, on }: CandleChartProps) {
  const colors = useChartColors()
  const { frame, overlay, view, place } = useCandleView(colors, on)
  useEffect(() => view?.setColors(colors), [view, colors])
  useEffect(() => view?.setPriceStep(step), [view, step])
  useEffect(() => view?.setSecondsVisible(step.isSeconds), [view, step.isSeconds])
  useLayoutEffect(() => view?.setBars(bars), [view, bars])
  useLayoutEffect(() => view?.setIndicators(indicators), [view, indicators])
  const [drag, setDrag] = useState<{ id: string; price: number }>()
  const lines = useMemo(
    () => own.lines.map((line) => (line.id === drag?.id ? { ...line, price: drag.price } : line)),
    [own.lines, drag],
  )
  useLayoutEffect(() => view?.setLines(lines), [view, lines])
  useEffect(() => view?.setMarks(own.marks), [view, own.marks])
  // After the labels are in the page.
  useLayoutEffect(() => place())
  return (
    <section className={classes.chart} aria-label={label}>
      <div ref={frame} className={classes.canvas} />
      <div ref={overlay} className={classes.overlay}>
        <OwnLines
          lines={lines}
          priceAt={(y) => view?.priceAt(y)}
          step={step}
          onDrag={setDrag}
          onDrop={on.drop}
        />
      </div>
      {view && <ChartLegend view={view} format={step.format} indicators={indicators} colors={colors} />}
      <div className={classes.tools}>
        {TOOLS.map(({ name, Icon, use }) => (
          <button key={name} type="button" aria-label={name} title={name} onClick={() => view && use(view)}>
            <Icon size={14} aria-hidden />
          </button>
        ))}
      </div>
    </section>
  )
}

/** What the mouse does by dragging and its wheel. */
const TOOLS: readonly { name: string; Icon: Icon; use: (view: CandleView) => void }[] = [
  { name: 'Earlier', Icon: IconChevronLeft, use: (view) => view.scroll(-0.5) },
  { name: 'Zoom out', Icon: IconMinus, use: (view) => view.zoom(0.8) },
  { name: 'Zoom in', Icon: IconPlus, use: (view) => view.zoom(1.25) },
  { name: 'Later', Icon: IconChevronRight, use: (view) => view.scroll(0.5) },
  { name: 'Latest bar', Icon: IconChevronsRight, use: (view) => view.scrollToLatest() },
]

/** The chart of the library lives as long as the component. */
function useCandleView(colors: ChartColors, on: CandleChartProps['on']) {
  const frame = useRef<HTMLDivElement>(null)
  const overlay = useRef<HTMLDivElement>(null)
  const latest = useRef(on)
  const first = useRef(colors)
  const viewRef = useRef<CandleView>(undefined)
  const [view, setView] = useState<CandleView>()
  useEffect(() => {
    latest.current = on
  })
  const place = useCallback(() => placeLabels(overlay.current, (price) => viewRef.current?.yOf(price)), [])
  useLayoutEffect(() => {
    if (frame.current === null) return
    const created = new CandleView(frame.current, first.current, {
      onNearStart: () => latest.current.nearStart(),
      onPick: (price) => latest.current.pick(price),
      onRepaint: place,
    })
    viewRef.current = created
    setView(created)
    return () => {
      viewRef.current = undefined
      created.remove()
    }
  }, [place])
  return { frame, overlay, view, place }
}
