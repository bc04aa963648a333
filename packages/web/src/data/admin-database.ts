import { apiConfigs, settings, users } from '@binnacle/contract'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { type StartChange, useChange, useSubjectsUnderWay } from './changes/change.ts'
import { call } from './client.ts'
import type { FailurePolicy } from './failure.ts'
import type { LoadOptions } from './load.ts'

export const adminDatabaseQueries = {
  all: ['admin-database'] as const,
  /** ADB-3: the three lists are one load; it is answered when all are and fails when one does. */
  lists: ({ onFailure, onLoaded }: LoadOptions) =>
    queryOptions({
      queryKey: adminDatabaseQueries.all,
      queryFn: ({ signal }) => loadLists(signal),
      meta: { onFailure, onLoaded },
    }),
}

/** Whether the backend keeps settings without any part of it that obeys them; a baseline does not tell. */
export function useAreSettingsOnlyKept(): boolean {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return backend?.kind === 'live' && !offers(backend, 'settings')
}

export interface UpdateSettingOptions {
  onFailure: FailurePolicy
  onDone: () => void
}

const SETTING_UPDATE = ['setting-update']

interface NewValue {
  settingKey: string
  value: string
  onStored: () => void
}

/** ADB-7: said to be updated as soon as the server agrees, under way until the lists are fresh. */
export function useUpdateSetting({ onFailure, onDone }: UpdateSettingOptions): StartChange<NewValue> {
  const client = useQueryClient()
  return useChange({
    key: SETTING_UPDATE,
    subject: subjectOf,
    send: ({ settingKey, value }) =>
      call(settings.update, { params: { setting_key: settingKey }, query: { value } }),
    onReply: async (_, { onStored }) => {
      onDone()
      await client.invalidateQueries({ queryKey: adminDatabaseQueries.all })
      onStored()
    },
    onFailure,
  })
}

/** The keys of the settings that are being saved. */
export function useSettingsUnderWay(): ReadonlySet<string> {
  return useSubjectsUnderWay(SETTING_UPDATE)
}

function subjectOf({ settingKey }: NewValue): string {
  return settingKey
}

async function loadLists(signal: AbortSignal) {
  const [setting, user, config] = await Promise.all([
    call(settings.list, {}, { signal }),
    call(users.list, {}, { signal }),
    call(apiConfigs.list, {}, { signal }),
  ])
  return { settings: setting.settings, users: user.users, configs: config.configs }
}
