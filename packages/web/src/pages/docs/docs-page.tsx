import { useSearchParams } from 'react-router'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'

// Lazy: the guides with their Markdown reader, and the contract behind the reference, load with their tabs.
const Guide = lazyPart(async () => (await import('./guides.tsx')).Guide)
const ApiReference = lazyPart(async () => (await import('./api-reference.tsx')).ApiReference)

const tabs = [
  { name: 'getting-started', label: copy.gettingStarted },
  { name: 'api-reference', label: copy.apiReference },
  { name: 'user-guide', label: copy.userGuide },
  { name: 'architecture', label: copy.architecture },
  { name: 'deployment', label: copy.deployment },
] as const

/** The open tab is in the address, so that a link or a reload restores it. */
export function DocsPage() {
  const [params, setParams] = useSearchParams()
  const active = tabs.find(({ name }) => name === params.get('tab'))?.name ?? 'getting-started'
  const links = (
    <>
      <TextLink to={paths.home}>{copy.backToHome}</TextLink>
      <TextLink to={paths.admin}>{copy.backToAdmin}</TextLink>
    </>
  )
  return (
    <Screen title={copy.title} actions={links}>
      <Tabs label={copy.title} tabs={tabs} active={active} onChange={(tab) => setParams({ tab })}>
        <Card>
          <LazyBoundary resetKey={active} fallback={<Loading text={copy.loading} />}>
            {active === 'api-reference' ? <ApiReference /> : <Guide tab={active} />}
          </LazyBoundary>
        </Card>
      </Tabs>
    </Screen>
  )
}
