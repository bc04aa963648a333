import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function MaintenancePage() {
  return (
    <Screen title="Database" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
