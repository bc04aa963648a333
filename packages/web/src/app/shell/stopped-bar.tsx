import { lazy, Suspense } from 'react'
import { useComponentsAtRest } from '#data/engine.ts'

/** Rarely needed, so its words come when they are. */
const StoppedComponents = lazy(async () => ({
  default: (await import('./stopped-components.tsx')).StoppedComponents,
}))

/** COMP-7: figures that stand still look like any others, so every screen says why they do. */
export function StoppedBar() {
  const atRest = useComponentsAtRest()
  if (atRest.length === 0) return null
  return (
    <Suspense fallback={null}>
      <StoppedComponents components={atRest} />
    </Suspense>
  )
}
