import { lazy, Suspense, useState } from 'react'
import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy } from './copy.ts'

// The guides are texts and the reference carries the whole contract: each arrives with its tab.
const panels = {
  'getting-started': lazy(async () => ({ default: (await import('./guides.tsx')).GettingStarted })),
  'api-reference': lazy(async () => ({ default: (await import('./api-reference.tsx')).ApiReference })),
  'user-guide': lazy(async () => ({ default: (await import('./guides.tsx')).UserGuide })),
  architecture: lazy(async () => ({ default: (await import('./guides.tsx')).Architecture })),
  deployment: lazy(async () => ({ default: (await import('./guides.tsx')).Deployment })),
}

type PanelName = keyof typeof panels

const tabs: readonly { name: PanelName; label: string }[] = [
  { name: 'getting-started', label: copy.gettingStarted },
  { name: 'api-reference', label: copy.apiReference },
  { name: 'user-guide', label: copy.userGuide },
  { name: 'architecture', label: copy.architecture },
  { name: 'deployment', label: copy.deployment },
]

export function DocsPage() {
  const [active, setActive] = useState<PanelName>('getting-started')
  const Panel = panels[active]
  const links = (
    <>
      <TextLink to={paths.home}>{copy.backToHome}</TextLink>
      <TextLink to={paths.admin}>{copy.backToAdmin}</TextLink>
    </>
  )
  return (
    <Screen title={copy.title} actions={links}>
      <Tabs label={copy.title} tabs={tabs} active={active} onChange={setActive}>
        <Card>
          <Suspense fallback={<Loading text={copy.loading} />}>
            <Panel />
          </Suspense>
        </Card>
      </Tabs>
    </Screen>
  )
}
