import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function ComponentsPage() {
  return (
    <Screen title="Components" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
