import * as z from 'zod'
import { adminEndpoint } from '#endpoint.ts'
import { object, strictObject } from '#object.ts'
import { ById, Id, ifGiven, listOf } from '#shared.ts'

/** Interrupted: the server exited while the job was running. It is not resumed. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const
export type JobState = (typeof JOB_STATES)[number]

/** A long-running operation: a backup, a restore, a task. */
export const Job = object(() => ({
  id: Id,
  kind: z.string().describe('The kind of job, such as task.audit.verify'),
  title: z.string(),
  state: z.enum(JOB_STATES),
  progress: z.number().min(0).max(1),
  message: z.string().nullish().describe('Current step, or the outcome'),
  is_cancelling: ifGiven(z.boolean()).describe('True after a cancel request until the job has stopped'),
  asked_by: z.string().nullish(),
  created_at: z.string(),
  started_at: z.string().nullish(),
  ended_at: z.string().nullish(),
  error: z.string().nullish().describe('Why the job failed'),
})).meta({ id: 'Job' })
export type Job = z.output<typeof Job>

export const JobDetail = object(() => ({
  ...Job.shape,
  result: z.unknown().optional().describe('The result, once the job is done'),
  log: z.array(object(() => ({ at: z.string(), text: z.string() }))),
})).meta({ id: 'JobDetail' })
export type JobDetail = z.output<typeof JobDetail>

/** The reply, with status 202, of a call that takes longer than 20 seconds and continues as a job. */
export const JobAccepted = object(() => ({ job_id: Id, message: ifGiven(z.string()) })).meta({
  id: 'JobAccepted',
})
export type JobAccepted = z.output<typeof JobAccepted>

/** The reply of a call that may become a job. A direct reply has no job_id. */
export function orJob<Reply extends z.ZodType>(reply: Reply) {
  return z.union([JobAccepted, reply])
}

export const jobs = {
  list: adminEndpoint('GET /api/admin/jobs', {
    summary: 'Jobs, newest first',
    role: 'admin',
    origin: { capability: 'jobs' },
    query: strictObject(() => ({
      state: z.enum(JOB_STATES).optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
    })),
    reply: listOf('jobs', Job),
  }),
  get: adminEndpoint('GET /api/admin/jobs/:id', {
    summary: 'One job with its log and result',
    role: 'admin',
    origin: { capability: 'jobs' },
    params: ById,
    reply: JobDetail,
  }),
  cancel: adminEndpoint('POST /api/admin/jobs/:id/cancel', {
    summary: 'Request the cancellation of a job; its state becomes cancelled once it has stopped',
    role: 'admin',
    origin: { capability: 'jobs' },
    alwaysOn: true,
    params: ById,
    reply: Job,
  }),
}
