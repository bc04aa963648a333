import type { RiskLimits, StoredRiskLimits } from '@binnacle/contract'
import { useState } from 'react'
import type { FormFailure } from '#form-failure.ts'
import { useDiscardQuestion } from '#state/unsaved.ts'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { useDraft } from '#ui/control/use-draft.ts'
import { useRefusal } from '#ui/control/use-refusal.ts'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import { draftOf, type LimitName, limitsFrom, limitsInForce, limitText } from './limits.ts'
import { LimitsForm } from './limits-form.tsx'
import { LimitsView } from './limits-view.tsx'

export interface LimitsPanelProps {
  stored: StoredRiskLimits | undefined
  /** Not loaded from a backend other than the baseline: nothing to show or to edit. */
  isUnknown: boolean
  busy: boolean
  /** Why the last save failed. */
  failure: FormFailure | undefined
  /** The form follows changes by others; in the baseline it keeps the values it was opened with. */
  isLive: boolean
  onOpen: () => void
  onSave: (limits: RiskLimits, onReloaded: () => void) => void
}

export function LimitsPanel({ stored, isUnknown, onOpen, ...rest }: LimitsPanelProps) {
  const [isEditing, setIsEditing] = useState(false)
  const open = () => {
    onOpen()
    setIsEditing(true)
  }
  const edit = <Button onClick={open}>{copy.limits.edit}</Button>
  return (
    <Card title={copy.limits.title} {...(!isEditing && !isUnknown && { actions: edit })}>
      {isEditing ? (
        <LimitsEditor stored={stored} {...rest} onClose={() => setIsEditing(false)} />
      ) : (
        <LimitsView stored={stored} isUnknown={isUnknown} />
      )}
    </Card>
  )
}

interface LimitsEditorProps extends Omit<LimitsPanelProps, 'isUnknown' | 'onOpen'> {
  onClose: () => void
}

/** RISK-14: polling never changes typed values. */
function LimitsEditor({ stored, busy, failure, isLive, onSave, onClose }: LimitsEditorProps) {
  const [opened] = useState(stored)
  const typed = useDraft(draftOf(limitsInForce(isLive ? stored : opened)))
  const { texts: draft, edit, conflictNote } = typed
  const { ask, dialog } = useConfirm()
  useDiscardQuestion(isLive && typed.isChanged, copy.limits.these, ask)
  const limits = limitsFrom(draft)
  const { shown, markSent } = useRefusal(failure, limits)
  const save = () => {
    markSent()
    onSave(limits, onClose)
  }
  // While saving, the stored values change because of this form.
  const showsConflicts = isLive && !busy
  return (
    <>
      <LimitsForm
        draft={draft}
        busy={busy}
        failure={shown}
        conflictNote={(name: LimitName) => (showsConflicts ? conflictNote(name, limitText(name)) : undefined)}
        onChange={edit}
        onSave={save}
        onCancel={onClose}
      />
      {dialog}
    </>
  )
}
