import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function TraderDashboardPage() {
  return (
    <Screen title="Trader Panel" back={{ to: paths.home, label: 'Back to Home' }}>
      {null}
    </Screen>
  )
}
