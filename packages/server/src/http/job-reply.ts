import { JobAccepted } from '@binnacle/contract'
import type { FastifyReply } from 'fastify'

/** A 202 reply with the job to poll, for work that exceeds the reply deadline. */
export class JobReply {
  readonly jobId: number
  readonly message: string

  constructor(jobId: number, message: string) {
    this.jobId = jobId
    this.message = message
  }
}

export function sendJobReply(reply: FastifyReply, { jobId, message }: JobReply): FastifyReply {
  return reply.code(202).send(JobAccepted.parse({ job_id: jobId, message }))
}
