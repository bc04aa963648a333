import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function DbManagementPage() {
  return (
    <Screen title="Database Management" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
