import { type AlertRuleInput, type AlertTest, alerts, type Id, type RequestOf } from '@binnacle/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { capabilityQueries, offers } from './capabilities.ts'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'
import { logOnly } from './failure.ts'

const POLL_MS = 5_000
const RULES_POLL_MS = 15_000
const all = ['alerts'] as const
const SUMMARY = [...all, 'summary'] as const
const polled = { meta: { onFailure: logOnly, isPolled: true } }

export const alertQueries = {
  all,
  /** Written by the stream too. */
  summary: () =>
    queryOptions({
      queryKey: SUMMARY,
      queryFn: ({ signal }) => call(alerts.summary, {}, { signal }),
      refetchInterval: POLL_MS,
      ...polled,
    }),
  resolved: () =>
    queryOptions({
      queryKey: [...all, 'resolved'],
      queryFn: async ({ signal }) => (await call(alerts.resolved, {}, { signal })).alerts,
      refetchInterval: POLL_MS,
      ...polled,
    }),
  rules: () =>
    queryOptions({
      queryKey: [...all, 'rules'],
      queryFn: ({ signal }) => call(alerts.rules, {}, { signal }),
      refetchInterval: RULES_POLL_MS,
      ...polled,
    }),
  channels: () =>
    queryOptions({
      queryKey: [...all, 'channels'],
      queryFn: async ({ signal }) => (await call(alerts.channels, {}, { signal })).channels,
      refetchInterval: RULES_POLL_MS,
      ...polled,
    }),
  heartbeat: () =>
    queryOptions({
      queryKey: [...all, 'heartbeat'],
      queryFn: ({ signal }) => call(alerts.heartbeat, {}, { signal }),
      refetchInterval: RULES_POLL_MS,
      ...polled,
    }),
}

/** The alerts of a backend that has them; undefined before they are loaded, and on any other. */
export function useAlertSummary() {
  const { data: backend } = useQuery(capabilityQueries.backend())
  const isOffered = offers(backend, 'alerts')
  const { data } = useQuery({ ...alertQueries.summary(), enabled: isOffered })
  return isOffered ? data : undefined
}

export type InboxAction = { id: Id } & (
  | { action: 'acknowledge' }
  | { action: 'resolve' }
  | { action: 'snooze'; seconds: number }
)

/** ALERT-11: one command per alert at a time. */
export function useInboxAction(options: CommandOptions<InboxAction>): Command<InboxAction> {
  return useCommand(
    { key: INBOX, subject: ({ id }) => String(id), send: sendAction, reload, reloadsAfterFailure: true },
    options,
  )
}

const INBOX = ['alerts', 'inbox']

function sendAction(request: InboxAction) {
  const params = { id: request.id }
  if (request.action === 'acknowledge') return call(alerts.acknowledge, { params })
  if (request.action === 'resolve') return call(alerts.resolve, { params })
  return call(alerts.snooze, { params, body: { seconds: request.seconds } })
}

export function useMuteAlerts(options: CommandOptions<number>): Command<number> {
  return useCommand(
    {
      key: MUTE,
      send: (seconds: number) => call(alerts.mute, { body: { seconds } }),
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const MUTE = ['alerts', 'mute']

export function useSendTestAlert(options: CommandOptions<null>): Command<null> {
  return useCommand(
    {
      key: TEST_ALERT,
      send: (_: null, key) => call(alerts.sendTest, {}, { key }),
      idempotency: { by: 'request' },
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const TEST_ALERT = ['alerts', 'send-test']

/** A rule as the form has it; without an id it is a new one. */
export interface RuleChange {
  id?: Id | undefined
  rule: AlertRuleInput
}

export function useSaveRule(options: CommandOptions<RuleChange>): Command<RuleChange> {
  return useCommand(
    {
      key: SAVE_RULE,
      subject: ({ id }) => String(id ?? 'new'),
      send: ({ id, rule }: RuleChange, key) =>
        id === undefined
          ? call(alerts.addRule, { body: rule }, { key })
          : call(alerts.changeRule, { params: { id }, body: rule }),
      idempotency: { by: 'request' },
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const SAVE_RULE = ['alerts', 'save-rule']

export function useDeleteRule(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    {
      key: DELETE_RULE,
      subject: String,
      send: (id: Id) => call(alerts.removeRule, { params: { id } }),
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const DELETE_RULE = ['alerts', 'delete-rule']

export type RuleTest = RequestOf<typeof alerts.testRule>['body']

/** Changes nothing; it is a command because a person asks for it. */
export function useTestRule(options: CommandOptions<RuleTest, AlertTest>): Command<RuleTest> {
  return useCommand({ key: TEST_RULE, send: (body: RuleTest) => call(alerts.testRule, { body }) }, options)
}

const TEST_RULE = ['alerts', 'test-rule']

export type HeartbeatRequest = RequestOf<typeof alerts.changeHeartbeat>['body']

export function useSaveHeartbeat(options: CommandOptions<HeartbeatRequest>): Command<HeartbeatRequest> {
  return useCommand(
    {
      key: HEARTBEAT,
      send: (body: HeartbeatRequest) => call(alerts.changeHeartbeat, { body }),
      reload,
      reloadsAfterFailure: true,
    },
    options,
  )
}

const HEARTBEAT = ['alerts', 'heartbeat']

function reload(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: all })
}
