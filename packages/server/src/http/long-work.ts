import { JobAccepted } from '@binnacle/contract'
import type { FastifyReply } from 'fastify'

/** A reply that comes too late for the caller to wait: the job to follow instead. */
export class LongWork {
  readonly jobId: number
  readonly message: string

  constructor(jobId: number, message: string) {
    this.jobId = jobId
    this.message = message
  }
}

export function sendLongWork(reply: FastifyReply, { jobId, message }: LongWork): FastifyReply {
  return reply.code(202).send(JobAccepted.parse({ job_id: jobId, message }))
}
