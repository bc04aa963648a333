import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'

export const CHANNEL_NAMES = ['email', 'slack', 'sms'] as const

export const ChannelTest = object(() => ({
  accepted: z.boolean(),
  answer: z.string().describe('The provider’s answer, or why it was not asked'),
})).meta({ id: 'ChannelTest' })
export type ChannelTest = z.output<typeof ChannelTest>

/** The channels of the settings. Deliveries of alerts are in the log of the alerts. */
export const notifications = {
  test: adminEndpoint('POST /api/admin/notifications/:channel/test', {
    summary:
      'Send a test message by a channel now, as its settings are stored; the reply has the provider’s answer',
    role: 'admin',
    origin: { capability: 'settings' },
    acceptsKey: true,
    params: strictObject(() => ({ channel: z.enum(CHANNEL_NAMES) })),
    reply: ChannelTest,
  }),
}
