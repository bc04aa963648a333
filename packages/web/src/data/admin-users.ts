import {
  type ApiConfig,
  apiConfigs,
  type Id,
  type NewApiConfig,
  type RequestOf,
  type User,
  users,
} from '@binnacle/contract'
import type { QueryClient } from '@tanstack/react-query'
import { adminDatabaseQueries } from './admin-database.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'

export type NewUser = RequestOf<typeof users.add>['body']

export function useAddUser(options: CommandOptions<NewUser>): Command<NewUser> {
  return useCommand(
    {
      key: ADD_USER,
      send: (body: NewUser, key) => call(users.add, { body }, { key }),
      idempotency: { by: 'request' },
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const ADD_USER = ['users', 'add']

export interface UserAction {
  user: User
  /** A new role, or whether the user is active. */
  change: { role: NewUser['role'] } | { is_active: 0 | 1 }
}

/** ADB-12: one change per user at a time. */
export function useChangeUser(options: CommandOptions<UserAction>): Command<UserAction> {
  return useCommand(
    {
      key: CHANGE_USER,
      subject: ({ user }) => String(user.id),
      send: sendUserChange,
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const CHANGE_USER = ['users', 'change']

function sendUserChange({ user: { id }, change }: UserAction) {
  const isDeactivation = 'is_active' in change && change.is_active === 0
  return isDeactivation
    ? call(users.deactivate, { params: { id } })
    : call(users.update, { params: { id }, body: change })
}

export function useAddConfig(options: CommandOptions<NewApiConfig>): Command<NewApiConfig> {
  return useCommand(
    {
      key: ADD_CONFIG,
      send: (body: NewApiConfig, key) => call(apiConfigs.add, { body }, { key }),
      idempotency: { by: 'request' },
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const ADD_CONFIG = ['api-configs', 'add']

export function useToggleConfig(options: CommandOptions<ApiConfig>): Command<ApiConfig> {
  return useCommand(
    {
      key: TOGGLE_CONFIG,
      subject: ({ id }) => String(id),
      send: ({ id, is_enabled }: ApiConfig) =>
        call(apiConfigs.update, { params: { id }, body: { is_enabled: is_enabled === 1 ? 0 : 1 } }),
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const TOGGLE_CONFIG = ['api-configs', 'toggle']

export function useDeleteConfig(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: DELETE_CONFIG,
      subject: String,
      send: (id: Id) => call(apiConfigs.remove, { params: { id } }),
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const DELETE_CONFIG = ['api-configs', 'delete']

function reload(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: adminDatabaseQueries.all })
}
