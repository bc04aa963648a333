import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function PositionsPage() {
  return (
    <Screen title="Positions" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
