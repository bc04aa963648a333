import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function MonitoringPage() {
  return (
    <Screen title="Monitoring" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
