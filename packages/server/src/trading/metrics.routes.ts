import { metrics as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { Attachment } from '#http/attachment.ts'
import { mount } from '#http/mount.ts'
import type { Metrics } from '#services/metrics/metrics.ts'

export function addMetricsRoutes(app: FastifyInstance, metrics: Metrics): void {
  mount(app, calls.read, async () => {
    const { contentType, text } = await metrics.prometheus()
    return Attachment.ofText('metrics.txt', contentType, text)
  })
}
