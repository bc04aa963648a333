import {
  type ChannelTest,
  notifications,
  type SettingDifference,
  type SettingsSectionName,
  systemSettings,
} from '@binnacle/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'
import { SYSTEM_SETTINGS_KEY } from './system-identity.ts'
import { type DownloadedFile, download } from './transport/download.ts'

const POLL_MS = 5000
const polled = { refetchInterval: POLL_MS, meta: { onFailure: logOnly, isPolled: true } }

export const systemSettingQueries = {
  current: () =>
    queryOptions({
      queryKey: [...SYSTEM_SETTINGS_KEY, 'current'],
      queryFn: ({ signal }) => call(systemSettings.read, {}, { signal }),
      ...polled,
    }),
  versions: () =>
    queryOptions({
      queryKey: [...SYSTEM_SETTINGS_KEY, 'versions'],
      queryFn: async ({ signal }) => (await call(systemSettings.versions, {}, { signal })).versions,
      ...polled,
    }),
}

export type SettingsRequest =
  | { action: 'save'; section: SettingsSectionName | undefined; values: Readonly<Record<string, string>> }
  | { action: 'reset'; section: SettingsSectionName | undefined }
  | { action: 'revert'; version: number }
  | { action: 'import'; settings: Readonly<Record<string, unknown>>; version: number }

/** Two sections can be saved at once. */
export function subjectOf(change: SettingsRequest): string {
  if (change.action === 'revert') return `revert ${change.version}`
  return change.action === 'import' ? 'import' : `${change.action} ${change.section ?? 'all'}`
}

/** SET-9: completes after the reload. Requests carry target values, so repeats are harmless. */
export function useChangeSettings(options: CommandOptions<SettingsRequest>): Command<SettingsRequest> {
  return useCommand(
    { key: CHANGE, subject: subjectOf, send: sendChange, reload, reloadsAfterFailure: true },
    options,
  )
}

const CHANGE = [...SYSTEM_SETTINGS_KEY, 'change']

function sendChange(change: SettingsRequest): Promise<unknown> {
  switch (change.action) {
    case 'save':
      return call(systemSettings.save, { body: { values: change.values } })
    case 'reset':
      return call(systemSettings.reset, { body: { section: change.section } })
    case 'revert':
      return call(systemSettings.revert, { params: { version: String(change.version) } })
    case 'import': {
      const { settings, version } = change
      return call(systemSettings.import, { body: { settings, apply: true, version } })
    }
  }
}

function reload(client: QueryClient): Promise<unknown> {
  return client.invalidateQueries({ queryKey: SYSTEM_SETTINGS_KEY })
}

export interface ImportPreview {
  version: number
  changes: readonly SettingDifference[]
}

/** SET-16: what a file would change. */
export function usePreviewImport(
  options: CommandOptions<Readonly<Record<string, unknown>>, ImportPreview>,
): Command<Readonly<Record<string, unknown>>> {
  return useCommand(
    { key: PREVIEW, send: (settings) => call(systemSettings.import, { body: { settings, apply: false } }) },
    options,
  )
}

const PREVIEW = [...SYSTEM_SETTINGS_KEY, 'preview']
const EXPORT_IDLE_MS = 30_000

export function useExportSettings(options: CommandOptions<null, DownloadedFile>): Command<null> {
  return useCommand(
    { key: EXPORT, send: (_: null) => download(systemSettings.export, {}, EXPORT_IDLE_MS) },
    options,
  )
}

const EXPORT = [...SYSTEM_SETTINGS_KEY, 'export']

export type ChannelName = 'email' | 'slack' | 'sms'

/** SET-29: each channel on its own; a repeat of an unanswered one is not a second message. */
export function useTestChannel(options: CommandOptions<ChannelName, ChannelTest>): Command<ChannelName> {
  return useCommand(
    {
      key: TEST,
      subject: (channel) => channel,
      send: (channel: ChannelName, key) => call(notifications.test, { params: { channel } }, { key }),
      idempotency: { by: 'request' },
    },
    options,
  )
}

const TEST = [...SYSTEM_SETTINGS_KEY, 'test']
