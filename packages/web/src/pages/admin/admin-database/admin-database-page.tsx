import type { Setting } from '@binnacle/contract'
import { useQuery } from '@tanstack/react-query'
import { adminDatabaseQueries, useAreSettingsWithoutEffect, useUpdateSetting } from '#data/admin-database.ts'
import { problemText } from '#data/failure.ts'
import { paths } from '#paths.ts'
import { notify, notifyFailure } from '#state/toasts.ts'
import { Button } from '#ui/control/button.tsx'
import { Grid } from '#ui/frame/grid.tsx'
import { Screen } from '#ui/frame/screen.tsx'
import { Loaded } from '#ui/state/loaded.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { ConfigTable } from './config-table.tsx'
import { copy } from './copy.ts'
import { SettingRow } from './setting-row.tsx'
import { SettingsCards } from './settings-cards.tsx'
import { UserTable } from './user-table.tsx'

export function AdminDatabasePage() {
  const isOnlyKept = useAreSettingsWithoutEffect()
  const lists = useQuery(
    adminDatabaseQueries.lists({
      onLoaded: () => notify('success', copy.loaded),
      onFailure: notifyFailure(copy.loadFailed),
    }),
  )
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
        {({ settings, users, configs }) => (
          <>
            {isOnlyKept && <Notice tone="calm" title={copy.noEffect} />}
            <SettingsCards
              settings={settings}
              row={(setting) => (
                <EditableSetting key={setting.key} setting={setting} hasEffect={!isOnlyKept} />
              )}
            />
            <Grid min="wide">
              <UserTable users={users} />
              <ConfigTable configs={configs} />
            </Grid>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

interface EditableSettingProps {
  setting: Setting
  hasEffect: boolean
}

/** Each setting is saved separately, so two saves can run at once. */
function EditableSetting({ setting, hasEffect }: EditableSettingProps) {
  const update = useUpdateSetting({
    onDone: () => notify('success', copy.updated(setting.key)),
    onFailure: notifyFailure(copy.updateFailed(setting.key), copy.updateUnknown),
  })
  return (
    <SettingRow
      setting={setting}
      hasEffect={hasEffect}
      isSaving={update.pendingSubjects.has(setting.key)}
      onSave={(value, onStored) => update.run({ settingKey: setting.key, value }, onStored)}
    />
  )
}
