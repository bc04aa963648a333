import type { SettingsForm, SettingsSection } from '#ports/controls.ts'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy, sectionTitles } from './copy.ts'
import classes from './section-card.module.css'
import { fieldsOf } from './settings-fields.tsx'

export interface SectionCardProps {
  section: SettingsSection
  form: SettingsForm
  onChange: (changed: Partial<SettingsForm>) => void
  isBusy: (verb: 'save' | 'reset') => boolean
  onAct: (verb: 'save' | 'reset') => void
}

export function SectionCard({ section, form, onChange, isBusy, onAct }: SectionCardProps) {
  const Fields = fieldsOf[section]
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
      <div className={classes.fields}>
        <Fields form={form} onChange={onChange} />
      </div>
    </Card>
  )
}
