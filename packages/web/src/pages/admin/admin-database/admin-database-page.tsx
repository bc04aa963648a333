import type { ApiConfig, Setting, User } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { adminDatabaseQueries, useAreSettingsWithoutEffect, useUpdateSetting } from '#data/admin-database.ts'
import { useIsLive } from '#data/capabilities.ts'
import { problemText } from '#data/failure.ts'
import type { FirstLoads } from '#data/first-loads.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Tabs } from '#ui/frame/tabs.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { ConfigTable } from './config-table.tsx'
import { ConfigsPanel } from './configs-panel.tsx'
import { copy } from './copy.ts'
import { RecordLink } from './record-link.tsx'
import { SettingRow } from './setting-row.tsx'
import { SettingsCards } from './settings-cards.tsx'
import { TasksPanel } from './tasks-panel.tsx'
import { UserTable } from './user-table.tsx'
import { UsersPanel } from './users-panel.tsx'

const loadLists = adminDatabaseQueries.lists({
  onLoaded: () => notify('success', copy.loaded),
  onFailure: notifyFailure(copy.loadFailed),
})

/** SHELL-111 */
export const firstLoads: FirstLoads = (load) => load(loadLists)

export function AdminDatabasePage() {
  const isLive = useIsLive()
  const lists = useQuery(loadLists)
  return (
    <Screen
      title={copy.title}
      back={{ to: paths.admin, label: copy.back }}
      actions={
        <Button busy={lists.isFetching} onClick={() => lists.refetch()}>
          {copy.refresh}
        </Button>
      }
    >
      <Loaded load={lists} loading={copy.loading} failed={copy.failed} reason={problemText(lists.error)}>
        {(loaded) =>
          isLive ? (
            <LiveTabs {...loaded} />
          ) : (
            <>
              <Settings settings={loaded.settings} />
              <Grid min="wide">
                <UserTable users={loaded.users} />
                <ConfigTable configs={loaded.configs} />
              </Grid>
            </>
          )
        }
      </Loaded>
    </Screen>
  )
}

const TABS = (['settings', 'users', 'configs', 'tasks', 'audit'] as const).map((name) => ({
  name,
  label: copy.tabs[name],
}))

interface LiveTabsProps {
  settings: readonly Setting[]
  users: readonly User[]
  configs: readonly ApiConfig[]
}

/** ADB-11: a live backend has its lists in tabs; the chosen one is in the address. */
function LiveTabs({ settings, users, configs }: LiveTabsProps) {
  const [params, setParams] = useSearchParams()
  const active = TABS.find(({ name }) => name === params.get('tab'))?.name ?? 'settings'
  return (
    <Tabs label={copy.tabsLabel} tabs={TABS} active={active} onChange={(tab) => setParams({ tab })}>
      {active === 'settings' && <Settings settings={settings} />}
      {active === 'users' && <UsersPanel users={users} />}
      {active === 'configs' && <ConfigsPanel configs={configs} />}
      {active === 'tasks' && <TasksPanel />}
      {active === 'audit' && <AuditPanel />}
    </Tabs>
  )
}

function Settings({ settings }: Pick<LiveTabsProps, 'settings'>) {
  const isLive = useIsLive()
  const areWithoutEffect = useAreSettingsWithoutEffect()
  return (
    <>
      {areWithoutEffect && <Notice tone="calm" title={copy.noEffect} />}
      <SettingsCards
        settings={settings}
        row={(setting) => (
          <EditableSetting
            key={setting.key}
            setting={setting}
            noEffect={noEffectOf(setting, { isLive, areWithoutEffect })}
          />
        )}
      />
    </>
  )
}

const SIGN_IN_SETTINGS: readonly string[] = ['two_factor_auth', 'session_timeout']

/** ADB-10, SET-24 */
function noEffectOf(
  { key }: Setting,
  { isLive, areWithoutEffect }: { isLive: boolean; areWithoutEffect: boolean },
): string | undefined {
  if (!isLive) return undefined
  if (SIGN_IN_SETTINGS.includes(key)) return areWithoutEffect ? copy.noSignIn : copy.noEffectUntilSignIn
  return areWithoutEffect ? copy.noEffectAtRow : undefined
}

interface EditableSettingProps {
  setting: Setting
  noEffect: string | undefined
}

/** Each setting is saved separately, so two saves can run at once. */
function EditableSetting({ setting, noEffect }: EditableSettingProps) {
  const isLive = useIsLive()
  const update = useUpdateSetting({
    onDone: () => notify('success', copy.updated(setting.key)),
    onFailure: notifyFailure(copy.updateFailed(setting.key), copy.updateUnknown),
  })
  return (
    <SettingRow
      setting={setting}
      noEffect={noEffect}
      isSaving={update.pendingSubjects.has(setting.key)}
      records={isLive && <RecordLink entity="setting" target={setting.key} />}
      onSave={(value, onStored) => update.run({ settingKey: setting.key, value }, onStored)}
    />
  )
}
