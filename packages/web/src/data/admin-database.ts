import { apiConfigs, settings, users } from '@binnacle/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import type { LoadOptions } from './load.ts'

export const adminDatabaseQueries = {
  all: ['admin-database'] as const,
  /** ADB-3: one load of three lists, which fails if one of them fails. */
  lists: ({ onFailure, onLoaded }: LoadOptions) =>
    queryOptions({
      queryKey: adminDatabaseQueries.all,
      queryFn: ({ signal }) => loadLists(signal),
      meta: { onFailure, onLoaded },
    }),
}

/** ADB-9: a live backend without the capability stores settings that have no effect. */
export function useAreSettingsWithoutEffect(): boolean {
  const { data: backend } = useQuery(capabilityQueries.backend())
  return backend?.kind === 'live' && !offers(backend, 'settings')
}

const SETTING_UPDATE = ['setting-update']

interface NewValue {
  settingKey: string
  value: string
}

/** ADB-7: `onDone` follows the OK; the setting stays pending until the lists are loaded again. */
export function useUpdateSetting(options: CommandOptions<NewValue>): Command<NewValue> {
  return useCommand(
    {
      key: SETTING_UPDATE,
      subject: ({ settingKey }) => settingKey,
      send: ({ settingKey, value }) =>
        call(settings.update, { params: { setting_key: settingKey }, query: { value } }),
      reload: (client) => client.invalidateQueries({ queryKey: adminDatabaseQueries.all }),
    },
    options,
  )
}

async function loadLists(signal: AbortSignal) {
  const [setting, user, config] = await Promise.all([
    call(settings.list, {}, { signal }),
    call(users.list, {}, { signal }),
    call(apiConfigs.list, {}, { signal }),
  ])
  return { settings: setting.settings, users: user.users, configs: config.configs }
}
