import * as z from 'zod'
import { endpoint } from '#endpoint.ts'
import { ById, Id, ifGiven, listOf } from '#shared.ts'

/** Interrupted means that the server ended before the work did; it is not taken up again by itself. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Long work: a backup, a restore, a task. */
export const Job = z
  .object({
    id: Id,
    kind: z.string().describe('What sort of work it is, such as task.audit.verify'),
    title: z.string(),
    state: z.enum(JOB_STATES),
    progress: z.number().min(0).max(1),
    message: z.string().nullish().describe('What it is at, or how it ended'),
    is_cancelling: ifGiven(z.boolean()).describe('Whether it was told to stop and has not yet'),
    asked_by: z.string().nullish(),
    created_at: z.string(),
    started_at: z.string().nullish(),
    ended_at: z.string().nullish(),
    error: z.string().nullish().describe('Why it did not end well'),
  })
  .meta({ id: 'Job' })
export type Job = z.output<typeof Job>

export const JobDetail = Job.extend({
  result: z.unknown().optional().describe('What came of it, once it is done'),
  log: z.array(z.object({ at: z.string(), text: z.string() })),
}).meta({ id: 'JobDetail' })
export type JobDetail = z.output<typeof JobDetail>

/** The reply, with status 202, of a call whose work goes on after 20 seconds. */
export const JobAccepted = z.object({ job_id: Id, message: ifGiven(z.string()) }).meta({ id: 'JobAccepted' })
export type JobAccepted = z.output<typeof JobAccepted>

/** The reply of a call that may take long: what it always was, which has no job_id, or the job to follow. */
export function orJob<Reply extends z.ZodType>(reply: Reply) {
  return z.union([JobAccepted, reply])
}

export const jobs = {
  list: endpoint('GET /api/admin/jobs', {
    summary: 'Long work, newest first',
    role: 'admin',
    origin: { capability: 'jobs' },
    query: z.strictObject({
      state: z.enum(JOB_STATES).optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(100),
    }),
    reply: listOf('jobs', Job),
  }),
  get: endpoint('GET /api/admin/jobs/:id', {
    summary: 'One job with its log and result',
    role: 'admin',
    origin: { capability: 'jobs' },
    params: ById,
    reply: JobDetail,
  }),
  cancel: endpoint('POST /api/admin/jobs/:id/cancel', {
    summary: 'Tell a job to stop; it is cancelled when it has',
    role: 'admin',
    origin: { capability: 'jobs' },
    alwaysOn: true,
    params: ById,
    reply: Job,
  }),
}
