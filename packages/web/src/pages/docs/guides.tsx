import architecture from '@repository/ARCHITECTURE.md?raw'
import backtests from '@repository/docs/guide/backtests.md?raw'
import customStrategies from '@repository/docs/guide/custom-strategies.md?raw'
import deployment from '@repository/docs/guide/deployment.md?raw'
import gettingStarted from '@repository/docs/guide/getting-started.md?raw'
import strategies from '@repository/docs/guide/strategies.md?raw'
import userGuide from '@repository/docs/guide/user-guide.md?raw'
import map from '@repository/docs/map.svg?url'
import { Prose } from '#ui/prose/prose.tsx'

export function GettingStarted() {
  return <Prose text={gettingStarted} />
}

export function UserGuide() {
  return (
    <>
      <Prose text={userGuide} />
      <Prose text={strategies} />
      <Prose text={customStrategies} />
      <Prose text={backtests} />
    </>
  )
}

export function Architecture() {
  return <Prose text={architecture} pictures={{ 'docs/map.svg': map }} />
}

export function Deployment() {
  return <Prose text={deployment} />
}
