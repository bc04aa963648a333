import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function OrdersPage() {
  return (
    <Screen title="Orders" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
