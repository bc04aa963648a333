import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { logOnly, problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { actionMessages } from '#ports/action-messages.ts'
import {
  type FixedSettings,
  SETTINGS_SECTIONS,
  type SettingsForm,
  type SettingsSection,
} from '#ports/controls.ts'
import { usePortCommand } from '#ports/port-command.ts'
import { portQueries } from '#ports/port-queries.ts'
import { isPort, usePort } from '#ports/use-port.ts'
import { createActionToasts } from '#state/action-toasts.ts'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { NoControls } from '#ui/ports/no-controls.tsx'
import { PortBadge } from '#ui/ports/port-badge.tsx'
import { PortControls } from '#ui/ports/port-controls.tsx'
import { lazyPart } from '#ui/state/lazy-part.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { copy, sectionName } from './copy.ts'
import { GlobalActions, type SettingsAction } from './global-actions.tsx'
import { SectionCard } from './section-card.tsx'
import { SectionFields } from './settings-fields.tsx'

const LiveSettings = lazyPart(async () => (await import('./live-settings.tsx')).LiveSettings)

const back = { to: paths.admin, label: copy.back }

export function SettingsPage() {
  const port = usePort('settings')
  if (port.kind === 'not-offered') return <UnofferedSettings />
  if (port.kind === 'live') {
    return (
      <Suspense fallback={<Loading text={copy.loading} />}>
        <LiveSettings />
      </Suspense>
    )
  }
  if (isPort(port)) return <LoadedSettings port={port} />
  return (
    <Screen title={copy.title} back={back}>
      <NoControls things={copy.things} why={port.kind} />
    </Screen>
  )
}

/** CAP-8: the sections with their buttons, and no values. */
function UnofferedSettings() {
  const isBusy = () => false
  const onAct = () => {}
  return (
    <Screen
      title={copy.title}
      aside={<PortBadge kind="not-offered" />}
      back={back}
      actions={
        <PortControls kind="not-offered">
          <GlobalActions isBusy={isBusy} onAct={onAct} />
        </PortControls>
      }
    >
      <PortControls kind="not-offered">
        <Grid min="wide">
          {SETTINGS_SECTIONS.map((section) => (
            <SectionCard key={section} section={section} isBusy={isBusy} onAct={onAct} />
          ))}
        </Grid>
      </PortControls>
    </Screen>
  )
}

interface LoadedSettingsProps {
  port: FixedSettings
}

function LoadedSettings({ port }: LoadedSettingsProps) {
  const settings = useQuery(portQueries.settings(port, { onFailure: logOnly }))
  if (settings.data) return <BaselineSettingsForm port={port} stored={settings.data} />
  return (
    <Screen title={copy.title} aside={<PortBadge kind={port.kind} />} back={back}>
      <Loaded
        load={settings}
        loading={copy.loading}
        failed={copy.failed}
        reason={problemText(settings.error)}
      >
        {() => null}
      </Loaded>
    </Screen>
  )
}

interface EditableSettingsProps extends LoadedSettingsProps {
  stored: SettingsForm
}

function BaselineSettingsForm({ port, stored }: EditableSettingsProps) {
  const [form, setForm] = useState(stored)
  const command = usePortCommand('settings')
  const runs: Record<SettingsAction, (section?: SettingsSection) => Promise<void>> = {
    save: (section) => port.save(form, section),
    reset: async (section) => {
      const defaults = await port.reset(section)
      setForm((current) => withSectionOf(current, defaults, section))
    },
    export: () => port.exportAll(),
    import: () => port.importAll(),
  }
  const start = (action: SettingsAction, section?: SettingsSection) =>
    command.run({
      control: `${action} ${section}`,
      run: () => runs[action](section),
      ...createActionToasts(actionMessages(port.kind, action, sectionName(section))),
    })
  const isBusy = (action: SettingsAction, section?: SettingsSection) =>
    command.pendingSubjects.has(`${action} ${section}`)
  return (
    <Screen
      title={copy.title}
      aside={<PortBadge kind={port.kind} />}
      back={back}
      actions={<GlobalActions isBusy={isBusy} onAct={start} />}
    >
      <Grid min="wide">
        {SETTINGS_SECTIONS.map((section) => (
          <SectionCard
            key={section}
            section={section}
            isBusy={(action) => isBusy(action, section)}
            onAct={(action) => start(action, section)}
          >
            <SectionFields
              section={section}
              form={form}
              onChange={(changed) => setForm((current) => ({ ...current, ...changed }))}
            />
          </SectionCard>
        ))}
      </Grid>
    </Screen>
  )
}

const fieldNames: Record<SettingsSection, readonly (keyof SettingsForm)[]> = {
  general: ['systemName', 'environment'],
  notifications: ['email', 'slack', 'sms'],
  security: ['sessionTimeoutMin', 'twoFactorAuth'],
  performance: ['maxConcurrentRequests', 'cacheTtlS'],
}

/** Replaces one section of the form, or all of it; other sections stay as typed. */
function withSectionOf(
  form: SettingsForm,
  other: SettingsForm,
  section: SettingsSection | undefined,
): SettingsForm {
  if (section === undefined) return other
  const taken = Object.fromEntries(fieldNames[section].map((name) => [name, other[name]]))
  return { ...form, ...taken }
}
