import type { StrategyModule } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { problemText } from '#data/failure.ts'
import { moduleQueries, useCheckModule, useOpenVersion, useSaveModule } from '#data/strategy-modules.ts'
import { formatDateTime } from '#format/time.ts'
import { createFailureToasts, formFailure, toastFailureAfterUnmount } from '#state/command-failures.ts'
import { moduleDrafts } from '#state/module-drafts.ts'
import { useTheme } from '#state/theme.ts'
import { notify, toastFailure } from '#state/toasts.ts'
import { type UnsavedOptions, useUnsaved } from '#state/unsaved.ts'
import type { CodeError } from '#ui/code/code-editor.tsx'
import { Button } from '#ui/control/button.tsx'
import { useConfirm } from '#ui/control/confirm.tsx'
import { SelectField, TextField } from '#ui/control/field.tsx'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { LazyBoundary, lazyPart } from '#ui/state/lazy-part.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import classes from './module-panel.module.css'
import { freeName, membersOf } from './module-source.ts'

const CodeEditor = lazyPart(async () => (await import('#ui/code/code-editor.tsx')).CodeEditor)

export interface ModulePanelProps {
  name: string
  /** Of a run of this module that failed. */
  runError: CodeError | undefined
  onName: (name: string | undefined) => void
  onBacktest: (name: string) => void
}

const { editor: words } = copy

/** EDIT-1 to EDIT-5: writes the module of a custom strategy. */
export function ModulePanel(props: ModulePanelProps) {
  const { name } = props
  const [isChanged, setIsChanged] = useState(false)
  const { ask, dialog } = useConfirm()
  const askToLeave = (leave: () => void) =>
    ask({
      question: words.discard(name),
      detail: words.discardDetail,
      action: words.discardAction,
      dismiss: words.keep,
      onConfirm: () => {
        moduleDrafts.discard(name)
        leave()
      },
    })
  const unsaved = { onChange: setIsChanged, onLeave: askToLeave }
  /** EDIT-6 */
  const onName = (next: string | undefined) => {
    const leave = () => {
      setIsChanged(false)
      props.onName(next)
    }
    if (isChanged) askToLeave(leave)
    else leave()
  }
  const list = useQuery(moduleQueries.list())
  const names = list.data?.modules.map((module) => module.name) ?? []
  const offered = names.includes(name) ? names : [name, ...names]
  return (
    <>
      <Card
        title={words.title}
        actions={
          <>
            <SelectField
              label={words.module}
              labelHidden
              value={name}
              options={offered.map((each) => ({ value: each, label: each }))}
              onChange={onName}
            />
            <Button onClick={() => onName(freeName(names))}>{words.add}</Button>
            <Button onClick={() => onName(undefined)}>{words.close}</Button>
          </>
        }
      >
        <Loaded load={list} loading={words.loading} failed={words.failed} reason={problemText(list.error)}>
          {({ template, types }) => (
            <NamedSource
              key={name}
              {...props}
              isStored={names.includes(name)}
              template={template}
              types={types}
              unsaved={unsaved}
            />
          )}
        </Loaded>
      </Card>
      {dialog}
    </>
  )
}

interface SourceProps extends ModulePanelProps {
  /** Null for a new one. */
  module: StrategyModule | null
  save: ReturnType<typeof useSaveModule>
  template: string
  types: string
  unsaved: UnsavedOptions
}

/** EDIT-331: a save whose answer was lost makes the new module a stored one, and its failure stays. */
function NamedSource({ isStored, ...props }: Omit<SourceProps, 'module' | 'save'> & { isStored: boolean }) {
  const { name } = props
  const save = useSaveModule({
    onFailure: toastFailureAfterUnmount(words.unknown),
    onDone: ({ hash }, saved) => {
      moduleDrafts.markSaved(name, { ...saved, hash })
      notify('success', words.saved(saved.name))
    },
  })
  return isStored ? <StoredSource {...props} save={save} /> : <Source {...props} save={save} module={null} />
}

function StoredSource(props: Omit<SourceProps, 'module'>) {
  const one = useQuery(moduleQueries.one(props.name))
  return (
    <Loaded load={one} loading={words.loading} failed={words.failed} reason={problemText(one.error)}>
      {(module) => <Source {...props} module={module} />}
    </Loaded>
  )
}

function Source(props: SourceProps) {
  const { name, module, save, template, types, runError, unsaved, onName, onBacktest } = props
  const theme = useTheme()
  const stored = module?.source ?? template
  const [restored, setRestored] = useState(() => moduleDrafts.find(name))
  const [draft, setDraft] = useState(restored?.source)
  const [newName, setNewName] = useState(name)
  /** Undefined before the first check of this text. */
  const [checked, setChecked] = useState<{ error: CodeError | null }>()
  // BT-130: what was saved stays the draft until it is loaded, so that the editor is never given older text.
  if (draft === stored) setDraft(undefined)
  const source = draft ?? stored
  const isEdited = source !== stored
  const isChanged = module === null || isEdited
  useUnsaved(isEdited, unsaved)
  const check = useCheckModule({
    ...createFailureToasts({ name: () => 'check of a module', unknown: () => words.checkUnknown }),
    onDone: setChecked,
  })
  const failure = save.failure && formFailure(save.failure, { unknown: words.unknown, fields: [] })
  const saveAs = module === null ? newName.trim() : name
  // A file that was changed since the text was left is not overwritten.
  const base = restored ? restored.base : (module?.hash ?? null)
  const saveThen = (done?: () => void) => {
    check.run({ name: saveAs, source })
    save.run({ name: saveAs, source, base }, () => {
      setRestored(undefined)
      if (saveAs !== name) onName(saveAs)
      done?.()
    })
  }
  const change = useCallback(
    (text: string) => {
      setDraft(text)
      setChecked(undefined)
      if (text === stored) moduleDrafts.discard(name)
      else moduleDrafts.keep(name, { source: text, base })
    },
    [name, stored, base],
  )
  const members = useMemo(() => membersOf(types), [types])
  const error = checked === undefined ? runError : (checked.error ?? undefined)
  return (
    <div className={classes.source}>
      {module === null && (
        <TextField label={words.name} hint={words.nameHint} value={newName} onChange={setNewName} />
      )}
      <LazyBoundary fallback={<Loading text={words.loading} lines={8} bare />}>
        <CodeEditor
          label={words.source(name)}
          value={source}
          onChange={change}
          onSave={() => saveThen()}
          isDark={theme === 'dark'}
          error={error}
          members={members}
        />
      </LazyBoundary>
      {restored && isEdited && <Notice tone="info" title={words.restored} />}
      {error && (
        <Notice
          tone="bad"
          title={error.line === null ? error.message : words.atLine(error.line, error.message)}
          isAlert
        />
      )}
      {failure?.text !== undefined && <Notice tone="bad" title={failure.text} isAlert />}
      <div className={classes.tools}>
        <Button busy={check.isPending} onClick={() => check.run({ name: saveAs, source })}>
          {words.check}
        </Button>
        <Button busy={save.isPending} disabled={!isChanged} onClick={() => saveThen()}>
          {words.save}
        </Button>
        <Button
          busy={save.isPending}
          onClick={() => (isChanged ? saveThen(() => onBacktest(saveAs)) : onBacktest(name))}
        >
          {words.backtest}
        </Button>
        {checked?.error === null && <Badge tone="good">{words.good}</Badge>}
        {isChanged && module !== null && <Badge tone="warn">{words.changed}</Badge>}
        {module !== null && module.versions.length > 0 && <Versions module={module} onOpen={change} />}
      </div>
      <details>
        <summary>{words.types}</summary>
        <textarea className={classes.types} readOnly aria-label={words.types} rows={16} value={types} />
      </details>
    </div>
  )
}

/** EDIT-4 */
function Versions({ module, onOpen }: { module: StrategyModule; onOpen: (source: string) => void }) {
  const opening = useOpenVersion({ onFailure: toastFailure(words.versionFailed), onDone: onOpen })
  return (
    <SelectField
      label={words.versions}
      labelHidden
      value=""
      options={[
        { value: '', label: words.openVersion },
        ...module.versions.map(({ version, saved_at: at }) => ({
          value: String(version),
          label: words.version(version, formatDateTime(at).slice(0, 16)),
        })),
      ]}
      disabled={opening.isPending}
      onChange={(version) => {
        if (version !== '') opening.run({ name: module.name, version: Number(version) })
      }}
    />
  )
}
