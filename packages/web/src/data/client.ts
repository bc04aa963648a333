import { type AnyEndpoint, JobAccepted, type ReplyOf, type RequestOf } from '@binnacle/contract'
import { parseJson } from './failure.ts'
import { type CallOptions, exchange, parseReply } from './transport/exchange.ts'
import { followJob } from './transport/follow-job.ts'
import { rememberReply } from './transport/last-replies.ts'

/** What a call answers in the end: a job to follow is followed, so it is never the answer. */
export type FinalReply<E extends AnyEndpoint> = Exclude<ReplyOf<E>, JobAccepted>

/**
 * Makes one declared call: typed in, typed out, an ApiError for anything that is not OK. Never repeated. Work that
 * goes on as a job (CAP-11) is waited for, and what came of it is the reply.
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: CallOptions = {},
): Promise<FinalReply<E>> {
  const { url, status, text } = await exchange(endpoint, request, options)
  const parse = () => parseReply(endpoint, parseJson(text))
  const told = status === 202 ? JobAccepted.safeParse(parseJson(text)) : undefined
  const reply = told?.success
    ? await replyOfJob(endpoint, told.data, options, parse)
    : endpoint.method === 'GET'
      ? rememberReply(url, text, parse)
      : parse()
  // A job was followed to its end, so what is left of the union is the reply itself.
  return reply as FinalReply<E>
}

/** A backend that knows nothing of the job it named has said all it will: its OK counts, as in the baseline. */
async function replyOfJob<E extends AnyEndpoint>(
  endpoint: E,
  { job_id: id }: JobAccepted,
  options: CallOptions,
  parse: () => ReplyOf<E>,
): Promise<ReplyOf<E>> {
  const job = await followJob(id, options)
  return job === undefined ? parse() : parseReply(endpoint, job.result ?? { message: job.message })
}
