export interface CurveStyle {
  color: 's1' | 's2' | 's3' | 's4' | 's5' | 's6'
  dash: 'solid' | 'dashed' | 'dotted' | 'longDashed' | 'sparseDotted'
  /** The same dash as an SVG stroke. */
  strokeDasharray: string
}

/** Compared curves differ by dash as well as by colour. */
export const curveStyles = [
  { color: 's1', dash: 'solid', strokeDasharray: '' },
  { color: 's2', dash: 'dashed', strokeDasharray: '4 2' },
  { color: 's3', dash: 'dotted', strokeDasharray: '2 2' },
  { color: 's4', dash: 'longDashed', strokeDasharray: '7 3' },
  { color: 's5', dash: 'sparseDotted', strokeDasharray: '2 4' },
  { color: 's6', dash: 'solid', strokeDasharray: '' },
] as const satisfies readonly CurveStyle[]
