import {
  ALERT_WATCHES,
  type AlertRuleInput,
  alerts,
  COUNTED_WATCHES,
  STATE_WATCHES,
} from '@binnacle/contract'
import type { Result } from '@binnacle/engine'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { invalidFields } from '#http/validation.ts'
import type { Alerts } from '#services/alerts/alerts.ts'

export function addAlertRoutes(app: FastifyInstance, service: Alerts): void {
  mount(app, alerts.summary, () => service.summary())
  mount(app, alerts.resolved, async ({ query }) => ({ alerts: await service.resolved(query.limit) }))
  mount(app, alerts.acknowledge, async ({ params }, { audit }) =>
    alertReply(await service.acknowledge(audit, parseRowId(params.id)), params.id),
  )
  mount(app, alerts.resolve, async ({ params }, { audit }) =>
    alertReply(await service.resolve(audit, parseRowId(params.id)), params.id),
  )
  mount(app, alerts.snooze, async ({ params, body }, { audit }) =>
    alertReply(await service.snooze(audit, parseRowId(params.id), body.seconds), params.id),
  )
  mount(app, alerts.shown, async ({ params }) =>
    (await service.confirmShown(parseRowId(params.id))) ? {} : unknownAlert(params.id),
  )
  mount(app, alerts.mute, async ({ body }, { audit }) => ({
    muted_until: await service.mute(audit, body.seconds),
  }))
  mount(app, alerts.channels, async () => ({ channels: await service.channels() }))
  mount(
    app,
    alerts.sendTest,
    onceByKey(service, alerts.sendTest, (_, { audit }) => service.sendTest(audit)),
  )
  mount(app, alerts.heartbeat, () => service.heartbeat())
  mount(app, alerts.changeHeartbeat, async ({ body }, { audit }) => {
    const { host } = await service.heartbeat()
    if (body.is_enabled && body.url === undefined && host === null)
      return invalidFields([
        {
          field: 'body.url',
          message: 'is missing: enter the address of the watcher, such as https://watcher.example/ping',
        },
      ])
    return service.setHeartbeat(audit, body)
  })
  addRuleRoutes(app, service)
}

function addRuleRoutes(app: FastifyInstance, service: Alerts): void {
  mount(app, alerts.rules, async () => ({
    rules: await service.rules(),
    subjects: Object.fromEntries(
      ALERT_WATCHES.flatMap((watch) => {
        const subjects = service.subjects(watch)
        return subjects === undefined ? [] : [[watch, [...subjects]]]
      }),
    ),
  }))
  mount(
    app,
    alerts.addRule,
    onceByKey(service, alerts.addRule, async ({ body }, { audit }) => {
      const rule = normalizeRule(body)
      const refused = refusalOf(rule, service, 'body')
      if (refused !== undefined) return refused
      const outcome = await service.addRule(audit, rule)
      return outcome.ok ? outcome.value : nameTaken(rule.name)
    }),
  )
  mount(app, alerts.changeRule, async ({ params, body }, { audit }) => {
    const rule = normalizeRule(body)
    const refused = refusalOf(rule, service, 'body')
    if (refused !== undefined) return refused
    const outcome = await service.changeRule(audit, parseRowId(params.id), rule)
    if (outcome.ok) return outcome.value
    return outcome.reason === 'unknown' ? unknownRule(params.id) : nameTaken(rule.name)
  })
  mount(app, alerts.removeRule, async ({ params }, { audit }) => {
    const outcome = await service.removeRule(audit, parseRowId(params.id))
    return outcome.ok ? {} : unknownRule(params.id)
  })
  mount(app, alerts.testRule, async ({ body }) => {
    const rule = normalizeRule(body.rule)
    return refusalOf(rule, service, 'body.rule') ?? service.testRule(rule, body.days)
  })
}

/** A state has one bound; a counted failure clears below one. */
function normalizeRule(rule: AlertRuleInput): AlertRuleInput {
  const channels = [...new Set(rule.channels)]
  if (STATE_WATCHES.includes(rule.watch))
    return { ...rule, channels, direction: 'above', threshold: 1, clear: 1 }
  return COUNTED_WATCHES.includes(rule.watch)
    ? { ...rule, channels, direction: 'above' }
    : { ...rule, channels }
}

/** ALERT-9: what the schema alone cannot check. */
function refusalOf(rule: AlertRuleInput, service: Alerts, part: string): Refused | undefined {
  const isGapWrong = rule.direction === 'above' ? rule.clear > rule.threshold : rule.clear < rule.threshold
  if (isGapWrong) {
    const side = rule.direction === 'above' ? 'at most' : 'at least'
    return invalidFields([{ field: `${part}.clear`, message: `must be ${side} ${rule.threshold}` }])
  }
  const subjects = service.subjects(rule.watch)
  if (rule.subject === null) {
    const isMissing = rule.watch === 'price'
    return isMissing
      ? invalidFields([{ field: `${part}.subject`, message: 'must name an instrument' }])
      : undefined
  }
  if (subjects?.includes(rule.subject)) return undefined
  const message =
    subjects === undefined
      ? 'must be empty: this rule has no subject'
      : `must be one of ${subjects.join(', ')}`
  return invalidFields([{ field: `${part}.subject`, message }])
}

function alertReply<Value>(outcome: Result<Value, 'unknown' | 'resolved'>, id: string): Value | Refused {
  if (outcome.ok) return outcome.value
  return outcome.reason === 'unknown'
    ? unknownAlert(id)
    : new Refused('alert.resolved', 'The alert is resolved.')
}

function unknownAlert(id: string): Refused {
  return notFound('alert', id, { list: 'GET /api/alerts' })
}

function unknownRule(id: string): Refused {
  return notFound('rule', id, { list: 'GET /api/alerts/rules' })
}

function nameTaken(name: string): Refused {
  return new Refused('thing.exists', `'${name}' is taken by another rule. Choose another name.`, [
    { field: 'body.name', message: 'is taken by another rule' },
  ])
}
