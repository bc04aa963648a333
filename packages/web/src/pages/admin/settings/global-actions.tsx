import { Button } from '#ui/control/button.tsx'
import { copy } from './copy.ts'

export type SettingsAction = 'save' | 'reset' | 'export' | 'import'

export interface GlobalActionsProps {
  isBusy: (action: SettingsAction) => boolean
  onAct: (action: SettingsAction) => void
}

export function GlobalActions({ isBusy, onAct }: GlobalActionsProps) {
  return (
    <>
      <Button busy={isBusy('export')} onClick={() => onAct('export')}>
        {copy.export}
      </Button>
      <Button busy={isBusy('import')} onClick={() => onAct('import')}>
        {copy.import}
      </Button>
      <Button kind="primary" busy={isBusy('save')} onClick={() => onAct('save')}>
        {copy.saveAll}
      </Button>
      <Button busy={isBusy('reset')} onClick={() => onAct('reset')}>
        {copy.resetAll}
      </Button>
    </>
  )
}
