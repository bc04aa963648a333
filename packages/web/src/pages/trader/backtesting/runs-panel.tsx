import type { BacktestSummary } from '@binnacle/contract'
import { type ReactNode, useState } from 'react'
import { formatReturn } from '#format/statistic.ts'
import { formatDateTime } from '#format/time.ts'
import { TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { ToneText } from '#ui/figure/tone-text.tsx'
import { Card } from '#ui/frame/card.tsx'
import { toneOfGain } from '#ui/look/tone.ts'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { copy } from './copy.ts'
import { MAX_COMPARED } from './run-address.ts'
import { describeRun, statusText, toneOfRun } from './run-format.ts'
import classes from './runs-panel.module.css'

export interface RunsPanelProps {
  /** Newest first. */
  runs: readonly BacktestSummary[]
  chosen: string | undefined
  compared: readonly string[]
  onChoose: (id: string) => void
  onCompare: (id: string, isCompared: boolean) => void
  /** BT-32: archived runs are shown in place of the others. */
  isArchived: boolean
  onArchived: (isArchived: boolean) => void
}

/** BT-23 */
export function RunsPanel(props: RunsPanelProps) {
  const { runs, chosen, compared, onChoose, onCompare, isArchived, onArchived } = props
  const [search, setSearch] = useState('')
  const found = runs.filter((run) => isMatch(run, search))
  const { runs: words } = copy
  const toggle = (
    <label className={classes.archived}>
      <input type="checkbox" checked={isArchived} onChange={() => onArchived(!isArchived)} />
      {words.archived}
    </label>
  )
  if (runs.length === 0)
    return (
      <RunsCard count={0} tools={toggle}>
        {isArchived ? (
          <p className={classes.none}>{words.emptyArchive}</p>
        ) : (
          <EmptyState title={words.empty}>
            <p>{words.emptyHint}</p>
          </EmptyState>
        )}
      </RunsCard>
    )
  return (
    <RunsCard count={runs.length} tools={toggle}>
      <TextField
        label={words.search}
        labelHidden
        type="search"
        placeholder={words.placeholder}
        value={search}
        onChange={setSearch}
      />
      {found.length === 0 && <p className={classes.none}>{words.noMatch}</p>}
      <ul className={classes.list} aria-label={words.title}>
        {found.map((run) => {
          const id = String(run.id)
          const isCompared = compared.includes(id)
          const canCompare = run.result != null && (isCompared || compared.length < MAX_COMPARED)
          return (
            <li key={id} className={classes.row} aria-current={id === chosen ? 'true' : undefined}>
              <input
                type="checkbox"
                aria-label={words.compare(copy.name(id))}
                checked={isCompared}
                disabled={!canCompare}
                onChange={() => onCompare(id, !isCompared)}
              />
              <button type="button" className={classes.choose} onClick={() => onChoose(id)}>
                <b>{copy.name(id)}</b>
                <span className={classes.about}>
                  {[describeRun(run), ...(run.tags ?? []).map((tag) => `#${tag}`)].join(' ')}
                </span>
                <Outcome run={run} />
                <span className={classes.when}>{formatDateTime(run.created_at).slice(0, 16)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </RunsCard>
  )
}

function RunsCard({ count, tools, children }: { count: number; tools: ReactNode; children: ReactNode }) {
  return (
    <Card
      actions={tools}
      title={
        <>
          {copy.runs.title} <small className={classes.count}>{count}</small>
        </>
      }
    >
      {children}
    </Card>
  )
}

function Outcome({ run: { status, result } }: { run: BacktestSummary }) {
  if (result == null)
    return (
      <span className={classes.figure}>
        <Badge tone={toneOfRun(status)}>{statusText(status)}</Badge>
      </span>
    )
  const { total_return: share } = result.statistics
  return (
    <span className={classes.figure}>
      <ToneText tone={toneOfGain(share, true)}>{formatReturn(share)}</ToneText>
    </span>
  )
}

/** Every word of the search is in what the row says. */
function isMatch(run: BacktestSummary, search: string): boolean {
  const { tags = [], note = '' } = run
  const text = [copy.name(run.id), describeRun(run), statusText(run.status), ...tags, note]
    .join(' ')
    .toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
