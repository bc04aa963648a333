import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function AdminDatabasePage() {
  return (
    <Screen title="Admin Database" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
