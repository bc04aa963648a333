import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function AdaptersPage() {
  return (
    <Screen title="Adapters" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
