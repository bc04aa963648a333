/**
 * Whether Redis itself answered with an error. By its name: importing the class would load the library, which a server
 * without a Redis connection does not need.
 */
export function isReplyError(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'ReplyError'
}
