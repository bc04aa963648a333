import { type AnyEndpoint, JobAccepted, type ReplyOf, type RequestOf } from '@binnacle/contract'
import { parseJson } from './failure.ts'
import { followJob } from './transport/follow-job.ts'
import { reuseReply } from './transport/reply-cache.ts'
import { type CallOptions, parseReply, sendRequest } from './transport/send-request.ts'

/** The reply without JobAccepted: `call` waits for the job and returns its result. */
export type FinalReply<E extends AnyEndpoint> = Exclude<ReplyOf<E>, JobAccepted>

/**
 * Sends one declared request and returns its parsed reply. Throws an ApiError for any status that is not OK; never
 * retries. A 202 with a job (CAP-11) is followed to its end, and the job's result is the reply.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: CallOptions = {},
): Promise<FinalReply<E>> {
  const { url, status, text } = await sendRequest(endpoint, request, options)
  const parse = () => parseReply(endpoint, parseJson(text))
  const accepted = status === 202 ? JobAccepted.safeParse(parseJson(text)) : undefined
  const reply = accepted?.success
    ? await replyOfJob(endpoint, accepted.data, options, parse)
    : endpoint.method === 'GET'
      ? reuseReply(`${options.engine ?? ''} ${url}`, text, parse)
      : parse()
  // JobAccepted was replaced by the job's result above.
  return reply as FinalReply<E>
}

/** CAP-14: if the backend does not know the job, its 202 itself counts as the reply. */
async function replyOfJob<E extends AnyEndpoint>(
  endpoint: E,
  { job_id: id }: JobAccepted,
  options: CallOptions,
  parse: () => ReplyOf<E>,
): Promise<ReplyOf<E>> {
  const job = await followJob(id, options)
  return job === undefined ? parse() : parseReply(endpoint, job.result ?? { message: job.message })
}
