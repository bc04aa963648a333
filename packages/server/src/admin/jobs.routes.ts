import { jobs as calls } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { mount } from '#http/mount.ts'
import { Refused } from '#http/problems.ts'
import type { Jobs, JobView } from '#jobs/job-runner.ts'
import { answer, unknownThing } from './refusals.ts'
import { rowIdOf } from './row-id.ts'

/** Capability `jobs`. */
export function addJobsRoutes(app: FastifyInstance, jobs: Jobs): void {
  mount(app, calls.list, async ({ query }) => ({
    jobs: (await jobs.list(query.limit, query.state)).map(jobToWire),
  }))

  mount(app, calls.get, async ({ params }) => {
    const job = await jobs.find(rowIdOf(params.id))
    if (job === undefined) return unknownJob(params.id)
    return { ...jobToWire(job), result: job.result && JSON.parse(job.result), log: job.log }
  })

  mount(app, calls.cancel, async ({ params }, act) =>
    answer(await jobs.cancel(act, rowIdOf(params.id)), jobToWire, {
      unknown: unknownJob(params.id),
      ended: new Refused('job.ended', 'The job has ended already, so there is nothing to cancel.'),
    }),
  )
}

function jobToWire({ isCancelling, result: _, ...job }: JobView) {
  return { ...job, is_cancelling: isCancelling }
}

function unknownJob(id: string): Refused {
  return unknownThing('job', id, 'GET /api/admin/jobs')
}
