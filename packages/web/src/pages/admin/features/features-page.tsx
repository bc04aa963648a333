import { paths } from '#paths.ts'
import { Screen } from '#ui/screen.tsx'

export function FeaturesPage() {
  return (
    <Screen title="Features" back={{ to: paths.admin, label: 'Back' }}>
      {null}
    </Screen>
  )
}
