import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function SettingsPage() {
  return (
    <Screen title="Settings" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
