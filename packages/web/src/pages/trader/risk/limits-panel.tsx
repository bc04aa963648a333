import type { RiskLimits, StoredRiskLimits } from '@binnacle/contract'
import { useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { useTypedOver } from '#ui/control/typed-over.ts'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import { draftOf, type LimitName, limitsFrom, limitsInForce, limitText } from './limits.ts'
import { LimitsForm } from './limits-form.tsx'
import { LimitsView } from './limits-view.tsx'

export interface LimitsPanelProps {
  stored: StoredRiskLimits | undefined
  busy: boolean
  /** Whether the form follows and tells what others change; in the baseline it holds what it was opened with. */
  isLive: boolean
  /** Calls back when the saved limits have been read again. */
  onSave: (limits: RiskLimits, onFresh: () => void) => void
}

export function LimitsPanel({ stored, ...rest }: LimitsPanelProps) {
  const [isEditing, setIsEditing] = useState(false)
  const edit = <Button onClick={() => setIsEditing(true)}>{copy.limits.edit}</Button>
  return (
    <Card title={copy.limits.title} {...(!isEditing && { actions: edit })}>
      {isEditing ? (
        <LimitsEditor stored={stored} {...rest} onClose={() => setIsEditing(false)} />
      ) : (
        <LimitsView stored={stored} />
      )}
    </Card>
  )
}

interface LimitsEditorProps extends LimitsPanelProps {
  onClose: () => void
}

/** RISK-14: a poll changes what is stored and never what was typed. */
function LimitsEditor({ stored, busy, isLive, onSave, onClose }: LimitsEditorProps) {
  const [opened] = useState(stored)
  const { texts: draft, type, noteOn } = useTypedOver(draftOf(limitsInForce(isLive ? stored : opened)))
  // While it is saved, what is stored changes by this form's own doing.
  const isTelling = isLive && !busy
  return (
    <LimitsForm
      draft={draft}
      busy={busy}
      noteOn={(name: LimitName) => (isTelling ? noteOn(name, limitText(name)) : undefined)}
      onChange={type}
      onSave={() => onSave(limitsFrom(draft), onClose)}
      onCancel={onClose}
    />
  )
}
