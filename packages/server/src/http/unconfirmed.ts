import { Done } from '@binnacle/contract'
import type { FastifyReply } from 'fastify'

/** A request that was accepted but whose outcome is not known yet; sent as 202. */
export class Unconfirmed {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

export function sendUnconfirmed(reply: FastifyReply, { message }: Unconfirmed): FastifyReply {
  return reply.code(202).send(Done.parse({ message, confirmed: false }))
}
