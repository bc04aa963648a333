import type { AuditLog, AuditVerdict } from '@binnacle/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type AuditFilter, auditQueries, useExportAudit, useVerifyAudit } from '#data/audit-logs.ts'
import { problemText } from '#data/failure.ts'
import { formatDateTime } from '#format/time.ts'
import { notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { TextField } from '#ui/control/field.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { Card } from '#ui/frame/card.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Notice } from '#ui/state/notice.tsx'
import classes from './audit-panel.module.css'
import { copy } from './copy.ts'
import { diffOf } from './record-diff.ts'

const { audit: words } = copy
const FIELDS = ['actor', 'action', 'entity', 'target', 'from', 'to'] as const

/** ADB-16 to ADB-19: the records by filter, with what changed; verification and export. */
export function AuditPanel() {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const pages = useInfiniteQuery(auditQueries.pages(filter))
  const setFilter = (next: AuditFilter) =>
    setParams({ tab: 'audit', ...Object.fromEntries(Object.entries(next).filter(([, value]) => value)) })
  const download = useExportAudit({
    onFailure: notifyFailure(words.exportFailed),
    onDone: ({ name, content }) => saveFile(name, content),
  })
  return (
    <Card
      title={words.title}
      actions={
        <>
          <Verify />
          <Button busy={download.isPending} onClick={() => download.run({ filter, format: 'csv' })}>
            {words.csv}
          </Button>
          <Button busy={download.isPending} onClick={() => download.run({ filter, format: 'jsonl' })}>
            {words.jsonl}
          </Button>
        </>
      }
    >
      <FilterForm filter={filter} onApply={setFilter} />
      <Loaded load={pages} loading={words.loading} failed={words.failed} reason={problemText(pages.error)}>
        {({ pages: loaded }) => {
          const records = loaded.flatMap(({ logs }) => logs)
          return records.length === 0 ? (
            <p className={classes.dim}>{words.none}</p>
          ) : (
            <ol className={classes.records} aria-label={words.title}>
              {records.map((record) => (
                <RecordEntry
                  key={record.id}
                  record={record}
                  onPick={(entity, target) => setFilter({ entity, target })}
                />
              ))}
            </ol>
          )
        }}
      </Loaded>
      {pages.hasNextPage && (
        <Button busy={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </Card>
  )
}

function filterOf(params: URLSearchParams): AuditFilter {
  const given = FIELDS.map((field) => [field, params.get(field)] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== null))
}

interface FilterFormProps {
  filter: AuditFilter
  onApply: (filter: AuditFilter) => void
}

function FilterForm({ filter, onApply }: FilterFormProps) {
  const [texts, setTexts] = useState(filter)
  const [applied, setApplied] = useState(filter)
  // ADB-400: not by a key, which would remove the pressed button and with it the focus.
  if (FIELDS.some((field) => filter[field] !== applied[field])) {
    setApplied(filter)
    setTexts(filter)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onApply(texts)
  }
  return (
    <form className={classes.filter} aria-label={words.filter} noValidate onSubmit={submit}>
      {FIELDS.map((field) => (
        <TextField
          key={field}
          label={words.fields[field]}
          value={texts[field] ?? ''}
          {...(field === 'from' || field === 'to' ? { placeholder: '2026-03-31' } : {})}
          onChange={(value) => setTexts({ ...texts, [field]: value })}
        />
      ))}
      <Button type="submit">{words.apply}</Button>
      <Button onClick={() => onApply({})}>{words.clear}</Button>
    </form>
  )
}

interface RecordEntryProps {
  record: AuditLog
  onPick: (entity: string, target: string) => void
}

function RecordEntry({ record, onPick }: RecordEntryProps) {
  const { id, at, actor, action, entity, target, before, after, request_id } = record
  const diff = diffOf(before, after)
  return (
    <li className={classes.record}>
      <span className={classes.dim}>{formatDateTime(at)}</span>
      <b>{action}</b>
      <span>{words.by(actor)}</span>
      {entity && target && (
        <button type="button" className={classes.pick} onClick={() => onPick(entity, target)}>
          {entity} {target}
        </button>
      )}
      <span className={classes.number}>{words.number(String(id))}</span>
      {diff.length > 0 && (
        <dl className={classes.diff}>
          {diff.map((field) => (
            <div key={field.field}>
              <dt>{field.field}</dt>
              <dd>
                {field.before !== undefined && <del>{field.before}</del>}
                {field.after !== undefined && <ins>{field.after}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {request_id && <span className={classes.request}>{words.request(request_id)}</span>}
    </li>
  )
}

/** ADB-18: says what was verified, and what cannot be shown without an anchor. */
function Verify() {
  const [verdict, setVerdict] = useState<AuditVerdict>()
  const verify = useVerifyAudit({ onFailure: notifyFailure(words.verifyFailed), onDone: setVerdict })
  return (
    <>
      <Button busy={verify.isPending} onClick={() => verify.run(null)}>
        {words.verify}
      </Button>
      {verdict && (
        <div className={classes.verdict}>
          <Notice tone={verdict.intact ? 'good' : 'bad'} title={verdictText(verdict)} isAlert>
            {[verdict.fault?.detail, verdict.anchor && anchorText(verdict.anchor), verdict.note]
              .filter(Boolean)
              .join(' ')}
            {verdict.head_hash !== null && <HeadHash verdict={verdict} hash={verdict.head_hash} />}
          </Notice>
        </div>
      )}
    </>
  )
}

/** ADB-28: selected by one click, to be stored elsewhere. */
function HeadHash({ verdict, hash }: { verdict: AuditVerdict; hash: string }) {
  return (
    <p className={classes.head}>
      {words.head(verdict.lines)} <code>{hash}</code>
    </p>
  )
}

function verdictText({ intact, lines }: AuditVerdict): string {
  return intact ? words.intact(lines) : words.broken
}

function anchorText({ place, anchors, last_at }: NonNullable<AuditVerdict['anchor']>): string {
  return words.anchored(place, anchors, last_at ? formatDateTime(last_at) : words.never)
}
