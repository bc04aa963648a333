import { apiConfigs, settings, users } from '@binnacle/contract'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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

export interface UpdateSettingOptions {
  onFailure: FailurePolicy
  onDone: () => void
}

/** ADB-7: said to be updated as soon as the server agrees, pending until the lists are fresh. */
export function useUpdateSetting(settingKey: string, { onFailure, onDone }: UpdateSettingOptions) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (value: string) =>
      call(settings.update, { params: { setting_key: settingKey }, query: { value } }),
    onSuccess: () => {
      onDone()
      return client.invalidateQueries({ queryKey: adminDatabaseQueries.all })
    },
    onError: onFailure,
  })
}

async function loadLists(signal: AbortSignal) {
  const [setting, user, config] = await Promise.all([
    call(settings.list, {}, { signal }),
    call(users.list, {}, { signal }),
    call(apiConfigs.list, {}, { signal }),
  ])
  return { settings: setting.settings, users: user.users, configs: config.configs }
}
