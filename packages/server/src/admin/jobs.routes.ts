import { jobs as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import type { Jobs, JobView } from '#services/jobs/job-runner.ts'
import { replyWith } from './replies.ts'

/** Capability `jobs`. */
export function addJobsRoutes(app: FastifyInstance, jobs: Jobs): void {
  mount(app, calls.list, async ({ query }) => ({
    jobs: (await jobs.list(query.limit, query.state)).map(jobToWire),
  }))

  mount(app, calls.get, async ({ params }) => {
    const job = await jobs.find(parseRowId(params.id))
    if (job === undefined) return unknownJob(params.id)
    return { ...jobToWire(job), result: job.result && JSON.parse(job.result), log: job.log }
  })

  mount(app, calls.cancel, async ({ params }, { audit }) =>
    replyWith(await jobs.cancel(audit, parseRowId(params.id)), jobToWire, {
      unknown: unknownJob(params.id),
      ended: new Refused('job.ended', 'The job has already ended.'),
    }),
  )
}

function jobToWire({ isCancelling, result: _, ...job }: JobView) {
  return { ...job, is_cancelling: isCancelling }
}

function unknownJob(id: string): Refused {
  return notFound('job', id, { list: 'GET /api/admin/jobs' })
}
