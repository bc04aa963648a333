import { notifications } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { onceByKey } from '#http/once-by-key.ts'
import type { Channels } from '#services/notifications/channels.ts'
import type { AuditStore } from '#storage/admin/audit-store.ts'

/** SET-29: the reply has the answer of the provider. */
export function addNotificationRoutes(
  app: FastifyInstance,
  channels: Channels,
  log: Pick<AuditStore, 'record'>,
): void {
  mount(
    app,
    notifications.test,
    onceByKey(channels, notifications.test, async ({ params: { channel } }, { audit }) => {
      const { isAccepted, answer } = await channels.test(channel)
      const reply = { accepted: isAccepted, answer }
      await log.record(audit, { entity: 'notification', target: channel, before: null, after: reply })
      return reply
    }),
  )
}
