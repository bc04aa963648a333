import { type ModuleError, type RequestOf, type StrategyModule, strategyModules } from '@binnacle/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

const all = ['strategy-modules'] as const

export const moduleQueries = {
  list: () =>
    queryOptions({
      queryKey: [...all, 'list'],
      queryFn: ({ signal }) => call(strategyModules.list, {}, { signal }),
      meta: { onFailure: logOnly },
    }),
  one: (name: string) =>
    queryOptions({
      queryKey: [...all, 'one', name],
      queryFn: ({ signal }) => call(strategyModules.get, { params: { name } }, { signal }),
      meta: { onFailure: logOnly },
    }),
}

export interface ModuleVersion {
  name: string
  version: number
}

/** EDIT-4: loads the source of an earlier version. */
export function useOpenVersion(options: CommandOptions<ModuleVersion, string>): Command<ModuleVersion> {
  return useCommand({ key: ['strategy-modules', 'open-version'], send: loadVersion }, options)
}

async function loadVersion({ name, version }: ModuleVersion): Promise<string> {
  return (await call(strategyModules.version, { params: { name, version: String(version) } })).source
}

export type ModuleSave = RequestOf<typeof strategyModules.save>['body'] & { name: string }

export function useSaveModule(options: CommandOptions<ModuleSave, StrategyModule>): Command<ModuleSave> {
  return useCommand(
    {
      key: ['strategy-modules', 'save'],
      send: ({ name, ...body }) => call(strategyModules.save, { params: { name }, body }),
      reload: (client) => client.invalidateQueries({ queryKey: all }),
      reloadsAfterFailure: true,
    },
    options,
  )
}

export interface ModuleCheck {
  name: string
  source: string
}

/** EDIT-3: changes nothing. */
export function useCheckModule(
  options: CommandOptions<ModuleCheck, { error: ModuleError | null }>,
): Command<ModuleCheck> {
  return useCommand(
    {
      key: ['strategy-modules', 'check'],
      send: ({ name, source }) => call(strategyModules.check, { params: { name }, body: { source } }),
    },
    options,
  )
}
