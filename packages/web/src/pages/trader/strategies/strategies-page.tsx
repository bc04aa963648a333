import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function StrategiesPage() {
  return (
    <Screen title="Strategies" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
