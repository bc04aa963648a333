import type { ReactNode } from 'react'
import type { SettingsSection } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy, sectionTitles } from './copy.ts'
import classes from './section-card.module.css'

export interface SectionCardProps {
  section: SettingsSection
  isBusy: (action: 'save' | 'reset') => boolean
  onAct: (action: 'save' | 'reset') => void
  children?: ReactNode
}

export function SectionCard({ section, isBusy, onAct, children }: SectionCardProps) {
  return (
    <Card
      title={sectionTitles[section]}
      actions={
        <>
          <Button busy={isBusy('save')} onClick={() => onAct('save')}>
            {copy.save}
          </Button>
          <Button busy={isBusy('reset')} onClick={() => onAct('reset')}>
            {copy.reset}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>{children}</div>
    </Card>
  )
}
