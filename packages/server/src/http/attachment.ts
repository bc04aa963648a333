import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A reply that is a file download, streamed. */
export class Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Uint8Array>

  constructor(fileName: string, contentType: string, chunks: AsyncIterable<string | Uint8Array>) {
    this.fileName = fileName
    this.contentType = contentType
    this.chunks = chunks
  }

  /** A file that is at hand as text. */
  static ofText(fileName: string, contentType: string, text: string): Attachment {
    return new Attachment(fileName, contentType, Readable.from([text]))
  }
}

export function sendAttachment(reply: FastifyReply, { fileName, contentType, chunks }: Attachment) {
  return reply
    .type(contentType)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(chunks))
}
