import { ControlsScreen } from './controls-screen.ts'

export class AdaptersPage extends ControlsScreen {
  readonly path = '/admin/adapters'
  readonly title = 'Adapters'
}
