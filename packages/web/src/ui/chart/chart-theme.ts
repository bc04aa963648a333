import type { ChartOptions, DeepPartial } from 'lightweight-charts'
import { useSyncExternalStore } from 'react'

/** The colours of charts. A canvas takes no CSS variables, so they are read from the tokens. */
export type ChartColors = Readonly<Record<keyof typeof TOKENS, string>>

const TOKENS = {
  surface: '--surface',
  ink: '--ink',
  dim: '--dim',
  line: '--line',
  grid: '--grid',
  axis: '--axis',
  accent: '--accent',
  accentInk: '--accent-ink',
  up: '--up',
  upFill: '--up-fill',
  down: '--down',
  downFill: '--down-fill',
  calmFill: '--calm-fill',
  warnFill: '--warn-fill',
  badFill: '--bad-fill',
  s1: '--s1',
  s2: '--s2',
  s3: '--s3',
  s4: '--s4',
  s5: '--s5',
  s6: '--s6',
} as const

/** The colours now, and again after a change of the theme or of the colours of up and down. */
export function useChartColors(): ChartColors {
  return useSyncExternalStore(subscribe, readColors)
}

/** What all charts have in common. */
export function chartOptions(colors: ChartColors): DeepPartial<ChartOptions> {
  const crosshair = { color: colors.dim, labelBackgroundColor: colors.dim, width: 1 as const }
  return {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      textColor: colors.dim,
      fontSize: 11,
      fontFamily: getComputedStyle(document.body).fontFamily,
      panes: { separatorColor: colors.line, separatorHoverColor: colors.grid },
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colors.grid } },
    crosshair: { vertLine: crosshair, horzLine: crosshair },
    rightPriceScale: { borderVisible: false },
    timeScale: { borderColor: colors.line, timeVisible: true },
  }
}

/** The colour with an opacity between 0 and 1. Tokens are of the form #rrggbb. */
export function withOpacity(color: string, opacity: number): string {
  const digits = Math.round(opacity * 255).toString(16)
  return `${color}${digits.padStart(2, '0')}`
}

const WATCHED = ['data-mantine-color-scheme', 'data-up-down']

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: WATCHED })
  return () => observer.disconnect()
}

let known: { state: string; colors: ChartColors } | undefined

/** The same object while nothing changed. */
function readColors(): ChartColors {
  const root = document.documentElement
  const state = WATCHED.map((name) => root.getAttribute(name)).join(' ')
  if (known?.state === state) return known.colors
  const style = getComputedStyle(root)
  const values = Object.entries(TOKENS).map(([name, token]) => [
    name,
    longHex(style.getPropertyValue(token).trim()),
  ])
  // The entries have the names of TOKENS.
  const colors = Object.fromEntries(values) as ChartColors
  known = { state, colors }
  return colors
}

/** The build shortens #ffffff to #fff. */
function longHex(color: string): string {
  return /^#...$/.test(color) ? color.replace(/[^#]/g, '$&$&') : color
}
