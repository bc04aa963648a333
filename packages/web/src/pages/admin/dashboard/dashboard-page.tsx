import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function AdminDashboardPage() {
  return (
    <Screen title="Binnacle Admin Panel" back={{ to: paths.home, label: 'Back to Home' }}>
      {null}
    </Screen>
  )
}
