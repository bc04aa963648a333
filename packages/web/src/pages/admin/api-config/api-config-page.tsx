import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function ApiConfigPage() {
  return (
    <Screen title="API Configuration" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
