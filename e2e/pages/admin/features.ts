import { ControlsScreen } from './controls-screen.ts'

export class FeaturesPage extends ControlsScreen {
  readonly path = '/admin/features'
  readonly title = 'Features'
}
