import { ControlsScreen } from './controls-screen.ts'

export class ComponentsPage extends ControlsScreen {
  readonly path = '/admin/components'
  readonly title = 'Components'
}
