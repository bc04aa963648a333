import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function DocsPage() {
  return (
    <Screen title="Documentation" back={{ to: paths.home, label: 'Back to Home' }}>
      {null}
    </Screen>
  )
}
