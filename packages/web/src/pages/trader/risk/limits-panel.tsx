import type { RiskLimits, StoredRiskLimits } from '@binnacle/contract'
import { useState } from 'react'
import { Button } from '#ui/control/button.tsx'
import { Card } from '#ui/frame/card.tsx'
import { copy } from './copy.ts'
import { draftOf, type LimitsDraft, limitsFrom, limitsInForce } from './limits.ts'
import { LimitsForm } from './limits-form.tsx'
import { LimitsView } from './limits-view.tsx'

export interface LimitsPanelProps {
  stored: StoredRiskLimits | undefined
  busy: boolean
  /** Calls back when the saved limits have been read again. */
  onSave: (limits: RiskLimits, onFresh: () => void) => void
}

/** RISK-14: the draft is a copy of its own, so a poll changes what is stored and never what is being typed. */
export function LimitsPanel({ stored, busy, onSave }: LimitsPanelProps) {
  const [draft, setDraft] = useState<LimitsDraft>()
  const stopEditing = () => setDraft(undefined)
  const edit = <Button onClick={() => setDraft(draftOf(limitsInForce(stored)))}>{copy.limits.edit}</Button>
  return (
    <Card title={copy.limits.title} {...(draft === undefined && { actions: edit })}>
      {draft === undefined ? (
        <LimitsView stored={stored} />
      ) : (
        <LimitsForm
          draft={draft}
          busy={busy}
          onChange={setDraft}
          onSave={() => onSave(limitsFrom(draft), stopEditing)}
          onCancel={stopEditing}
        />
      )}
    </Card>
  )
}
