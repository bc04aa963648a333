import type { ChannelTest, SystemSettings } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, problemText } from '#data/failure.ts'
import {
  type ChannelName,
  type SettingsRequest,
  subjectOf,
  systemSettingQueries,
  useChangeSettings,
  useExportSettings,
  useTestChannel,
} from '#data/system-settings.ts'
import { paths } from '#paths.ts'
import { actionMessages } from '#ports/action-messages.ts'
import { SETTINGS_SECTIONS, type SettingsSection } from '#ports/controls.ts'
import { createActionToasts } from '#state/action-toasts.ts'
import { createFailureToasts } from '#state/command-failures.ts'
import { useDiscardQuestion } from '#state/unsaved.ts'
import { useConfirm } from '#ui/control/confirm.tsx'
import { saveFile } from '#ui/control/save-file.ts'
import { useDraft } from '#ui/control/use-draft.ts'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { ChannelSettings } from './channel-settings.tsx'
import { copy, live, sectionName } from './copy.ts'
import { GlobalActions, type SettingsAction } from './global-actions.tsx'
import { ImportSettings } from './import-settings.tsx'
import { keysOf, LIVE_FIELDS, LiveFields, type SettingTexts } from './live-fields.tsx'
import { SectionCard } from './section-card.tsx'
import { SettingsVersions } from './settings-versions.tsx'

const back = { to: paths.admin, label: copy.back }

/** The screen of the capability `settings`. */
export function LiveSettings() {
  const current = useQuery(systemSettingQueries.current())
  if (current.data) return <LiveSettingsForm stored={current.data} />
  return (
    <Screen title={copy.title} back={back}>
      <Loaded load={current} loading={copy.loading} failed={copy.failed} reason={problemText(current.error)}>
        {() => null}
      </Loaded>
    </Screen>
  )
}

function LiveSettingsForm({ stored }: { stored: SystemSettings }) {
  const draft = useDraft<string>(stored.values)
  const [errors, setErrors] = useState<SettingTexts>({})
  const [isImporting, setIsImporting] = useState(false)
  const confirm = useConfirm()
  useDiscardQuestion(draft.isChanged, live.these, confirm.ask)
  const change = useChangeSettings({
    onStart: (request) => actionToastsFor(request).onStart(),
    onDone: (_, request) => actionToastsFor(request).onDone(),
    onFailure: (error, request, context) => {
      setErrors((shown) => ({ ...shown, ...fieldErrors(error) }))
      return actionToastsFor(request).onFailure(error, request, context)
    },
  })
  const [answers, setAnswers] = useState<Partial<Record<ChannelName, ChannelTest>>>({})
  const test = useTestChannel({
    ...createFailureToasts<ChannelName>({
      name: (channel) => `test ${channel}`,
      unknown: () => live.testUnknown,
    }),
    onDone: (answer, channel) => setAnswers((shown) => ({ ...shown, [channel]: answer })),
  })
  const exportToasts = createActionToasts(actionMessages('live', 'export', copy.all))
  const download = useExportSettings({
    ...exportToasts,
    onDone: ({ name, content }) => {
      saveFile(name, content)
      exportToasts.onDone()
    },
  })
  /** After a saved change, what was typed into these fields is discarded. */
  const run = (request: SettingsRequest, keys: readonly string[]) => {
    setErrors(withoutKeys(errors, keys))
    change.run(request, () => draft.discard(keys))
  }
  const save = (section?: SettingsSection) => {
    const keys = keysIn(section)
    const edited = keys.filter((key) => draft.edited.has(key))
    const values = Object.fromEntries(edited.map((key) => [key, draft.texts[key] ?? '']))
    run({ action: 'save', section, values }, keys)
  }
  const askReset = (section?: SettingsSection) =>
    confirm.ask({
      question: live.confirmReset(sectionName(section)),
      action: copy.reset,
      onConfirm: () => run({ action: 'reset', section }, keysIn(section)),
    })
  const start = (action: SettingsAction, section?: SettingsSection) => {
    if (action === 'save') save(section)
    else if (action === 'reset') askReset(section)
    else if (action === 'export') download.run(null)
    else setIsImporting(true)
  }
  const isBusy = (action: SettingsAction, section?: SettingsSection) => {
    if (action === 'export') return download.isPending
    if (action === 'import') return change.pendingSubjects.has('import')
    return change.pendingSubjects.has(subjectOf({ action, section, values: {} }))
  }
  const fields = { texts: draft.texts, errors, conflictNote: draft.conflictNote, onChange: draft.edit }
  return (
    <Screen title={copy.title} back={back} actions={<GlobalActions isBusy={isBusy} onAct={start} />}>
      <Grid min="wide">
        {SETTINGS_SECTIONS.map((section) => (
          <SectionCard
            key={section}
            section={section}
            isBusy={(action) => isBusy(action, section)}
            onAct={(action) => start(action, section)}
          >
            <LiveFields {...fields} fields={LIVE_FIELDS[section]} />
            {section === 'notifications' && (
              <ChannelSettings
                {...fields}
                isEdited={(key) => draft.edited.has(key)}
                answers={answers}
                isTesting={(channel) => test.pendingSubjects.has(channel)}
                onTest={(channel) => test.run(channel)}
              />
            )}
          </SectionCard>
        ))}
      </Grid>
      <SettingsVersions
        current={stored.version}
        isBusy={(version) => change.pendingSubjects.has(`revert ${version}`)}
        onRevert={(version) => run({ action: 'revert', version }, keysIn())}
      />
      <ImportSettings
        opened={isImporting}
        onClose={() => setIsImporting(false)}
        onApply={(settings, version) => run({ action: 'import', settings, version }, Object.keys(settings))}
      />
      {confirm.dialog}
    </Screen>
  )
}

function actionToastsFor(change: SettingsRequest) {
  if (change.action === 'revert') return createActionToasts(live.revert(change.version))
  const section = change.action === 'import' ? undefined : change.section
  return createActionToasts(actionMessages('live', change.action, sectionName(section)))
}

function keysIn(section?: SettingsSection): readonly string[] {
  return section === undefined ? SETTINGS_SECTIONS.flatMap(keysOf) : keysOf(section)
}

function withoutKeys(texts: SettingTexts, keys: readonly string[]): SettingTexts {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => !keys.includes(key)))
}

/** CLIENT-18: 'body.values.cache_ttl' belongs to the field cache_ttl. */
function fieldErrors(error: unknown): SettingTexts {
  const faults = (error instanceof ApiError && error.problem?.errors) || []
  return Object.fromEntries(faults.map(({ field, message }) => [field.split('.').at(-1) ?? '', message]))
}
