import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function RiskPage() {
  return (
    <Screen title="Risk Management" back={{ to: paths.admin, label: '← Back to Dashboard' }}>
      {null}
    </Screen>
  )
}
